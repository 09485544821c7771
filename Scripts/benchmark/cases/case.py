"""What a case is."""

from dataclasses import dataclass
from typing import Callable


@dataclass
class Case:
    name: str
    summary: str
    #: takes the run, gives its rows
    measure: Callable
    #: whether it runs where none is named
    is_default: bool = True
