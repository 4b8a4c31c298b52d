"""`python -m simulator` is `simulate`."""

from cli import main

main(prog_name="simulate")
