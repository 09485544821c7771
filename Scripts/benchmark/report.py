"""The table for people and the file for programs."""

import json


def number(value):
    if value is None:
        return ""
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def table(results):
    """One line for each row, case by case."""
    lines = [["", "unit", "service", "baseline", "ratio", "spread", "aim", "", "beside"]]
    for case, rows in results:
        lines.append([f"{case.name}: {case.summary}"])
        lines += [cells(row) for row in rows]
    return aligned(lines)


def cells(row):
    ratios = row.ratios
    return [
        "  " + row.name, row.unit, number(row.median), number(row.baseline_median),
        f"{row.ratio:.2f}" if ratios else "",
        f"{min(ratios):.2f}–{max(ratios):.2f}" if len(ratios) > 1 else "",
        str(row.aim) if row.aim else "", {True: "met", False: "MISSED", None: ""}[row.is_met],
        row.beside]


def aligned(lines):
    """Columns side by side: the first, the second and the last are words, the others numbers. A line
    with one cell is a heading."""
    full = [line for line in lines if len(line) > 1]
    last = len(full[0]) - 1
    widths = [max(len(line[column]) for line in full) for column in range(last + 1)]
    text = []
    for line in lines:
        columns = [
            cell.ljust(width) if column in (0, 1, last) or len(line) == 1 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths))]
        text.append(("" if len(line) > 1 else "\n") + "  ".join(columns).rstrip())
    return "\n".join(text)


def print_facts(document):
    machine, versions = document["machine"], document["versions"]
    print(f"machine   {machine['cores']} cores, {machine['processor']}, {machine['kernel']}, "
          f"{machine['fileSystem']}")
    print("versions  " + ", ".join(f"{name} {version}" for name, version in versions.items()))
    print(f"load      {document['loadBefore']:.2f} before the runs")
    print()


def print_rest(document):
    for skipped in document["skipped"]:
        print(f"skipped: {skipped['what']}: {skipped['reason']}")
    for note in document["notes"]:
        print(f"note: {note}")
    print(
        "Medians; each ratio is service / baseline of runs that followed one another, its median and\n"
        "its spread. The documentation's page \"What it costs\" says what each baseline is.")


def write(document, path):
    path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n")
