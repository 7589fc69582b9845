// A press that throws something away asks for a second one, on the same button, in words.
export function twice(button, act, needed = () => true) {
  const usual = button.textContent;
  let asked = false;
  const calm = () => { asked = false; button.textContent = usual; };
  button.addEventListener("blur", calm);
  button.addEventListener("click", () => {
    if (asked || !needed()) {
      calm();
      act();
    } else {
      asked = true;
      button.textContent = `真的${usual}`;
    }
  });
}
