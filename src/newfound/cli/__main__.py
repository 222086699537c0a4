"""`python -m newfound.cli` is `newfound`."""

from newfound.cli import main

main()
