"""``python -m qiyuan`` is the command ``qiyuan``."""

from qiyuan.cli import main

main()
