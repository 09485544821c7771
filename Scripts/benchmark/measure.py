"""What a case gives: rows, each with the runs of the service and of its baseline."""

import statistics
from dataclasses import dataclass, field


@dataclass
class Aim:
    """What a row should reach."""

    #: `ratio` (service / baseline) or `service`
    of: str
    at_least: float | None = None
    at_most: float | None = None

    def is_met(self, value):
        if self.at_least is not None:
            return value >= self.at_least
        return value <= self.at_most

    def __str__(self):
        sign, value = ("≥", self.at_least) if self.at_least is not None else ("≤", self.at_most)
        return f"{sign} {value:g}" + ("" if self.of == "ratio" else " (itself)")

    def json(self):
        members = {"of": self.of, "atLeast": self.at_least, "atMost": self.at_most}
        return {name: value for name, value in members.items() if value is not None}


@dataclass
class Row:
    name: str
    unit: str
    service: list
    baseline: list = field(default_factory=list)
    #: what the baseline is
    beside: str = ""
    aim: Aim | None = None

    @property
    def median(self):
        return statistics.median(self.service)

    @property
    def baseline_median(self):
        return statistics.median(self.baseline) if self.baseline else None

    @property
    def ratios(self):
        """Of runs that followed one another."""
        return [mine / other for mine, other in zip(self.service, self.baseline) if other]

    @property
    def ratio(self):
        return statistics.median(self.ratios) if self.ratios else None

    @property
    def is_met(self):
        """None where there is no aim, or nothing to compare with."""
        value = None
        if self.aim:
            value = self.ratio if self.aim.of == "ratio" else self.median
        return None if value is None else self.aim.is_met(value)

    def json(self):
        members = {
            "name": self.name, "unit": self.unit, "service": self.service,
            "serviceMedian": self.median}
        if self.baseline:
            ratios = self.ratios
            members |= {
                "beside": self.beside, "baseline": self.baseline,
                "baselineMedian": self.baseline_median, "ratios": ratios, "ratioMedian": self.ratio,
                "ratioMin": min(ratios, default=None), "ratioMax": max(ratios, default=None)}
        if self.aim:
            members |= {"aim": self.aim.json(), "met": self.is_met}
        return members


def rows(service, baseline, beside, *specifications):
    """Rows from runs that told several figures: each specification is a name, a unit, the figure's
    key, and perhaps an aim and a factor."""
    made = []
    for name, unit, key, *more in specifications:
        aim = more[0] if more else None
        scale = more[1] if len(more) > 1 else 1
        made.append(Row(
            name, unit, [line[key] * scale for line in service],
            [line[key] * scale for line in baseline], beside if baseline else "", aim))
    return made
