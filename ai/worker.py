"""The thinking thread of an engine: does commands in order while the main thread keeps listening.

``stop`` and ``quit`` act on what is outstanding, including a search that has not begun yet, so
no order of arrival loses a stop.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

from qikit import StopFlag


class Task:
    """One piece of work with its stop flag.

    A held task (``go infinite``, ``go ponder``) may finish its work early but must keep its
    answer until it is released.

    Attributes:
        stop: set when the work should end; a player sets it too when its time is over.
        halted: whether the end was asked for from outside.
        search: whether stopping is about this task (a position set-up is never half done).
        finite: it ends of itself and writes as it goes, so the end of the input need not stop it.
    """

    def __init__(
        self, work: Callable[[Task], None], *, search: bool, held: bool, finite: bool
    ) -> None:
        self.work = work
        self.search = search
        self.finite = finite
        self.stop = StopFlag()
        self.halted = False
        self._released = threading.Event()
        self._lock = threading.Lock()
        self._action: Callable[[], object] | None = None
        if not held:
            self._released.set()

    def halt(self) -> None:
        """End the work now and let the answer out."""
        self.halted = True  # before the flag: see next_part
        self.stop.set()
        self._released.set()

    def next_part(self) -> bool:
        """Make the flag ready for another search of the same task; false if it was halted."""
        self.stop.cancel()
        self.stop.clear()
        return not self.halted

    def release(self) -> None:
        """Let the answer out when it is found (``ponderhit``), after :meth:`when_released`."""
        with self._lock:
            self._released.set()
            if self._action is not None:
                self._action()

    def when_released(self, action: Callable[[], object]) -> None:
        """Call ``action`` at the release, at once if that has been."""
        with self._lock:
            self._action = action
            if self._released.is_set():
                action()

    def wait_for_release(self) -> None:
        """Block until the answer may go out."""
        self._released.wait()


class Worker:
    """Does tasks one after another on a daemon thread.

    An exception in a task ends the worker; :attr:`failure` keeps it and ``on_failure`` is called.
    """

    def __init__(self, on_failure: Callable[[], None]) -> None:
        self.failure: BaseException | None = None
        self._on_failure = on_failure
        self._tasks: deque[Task] = deque()
        self._changed = threading.Condition()
        threading.Thread(target=self._run, name="thinker", daemon=True).start()

    def submit(
        self,
        work: Callable[[Task], None],
        *,
        search: bool = False,
        held: bool = False,
        finite: bool = False,
    ) -> Task:
        """Queue a task; returns at once."""
        task = Task(work, search=search, held=held, finite=finite)
        with self._changed:
            self._tasks.append(task)
            self._changed.notify_all()
        return task

    @property
    def searching(self) -> bool:
        """Whether a search is running or waits in the queue."""
        return bool(self._searches())

    def halt(self, *, spare_finite: bool = False) -> bool:
        """Stop every outstanding search; returns whether there was one."""
        searches = [task for task in self._searches() if not (spare_finite and task.finite)]
        for task in searches:
            task.halt()
        return bool(searches)

    def release(self) -> None:
        """Release every outstanding search."""
        for task in self._searches():
            task.release()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until nothing is outstanding; returns whether that came true."""
        with self._changed:
            return self._changed.wait_for(
                lambda: not self._tasks or self.failure is not None, timeout
            )

    def _searches(self) -> list[Task]:
        with self._changed:
            return [task for task in self._tasks if task.search]

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: bool(self._tasks))
                task = self._tasks[0]
            try:
                task.work(task)
            except BaseException as failure:
                with self._changed:
                    self.failure = failure
                    self._changed.notify_all()
                self._on_failure()
                return
            finally:
                task.stop.cancel()
            with self._changed:
                self._tasks.popleft()
                self._changed.notify_all()
