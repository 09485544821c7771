"""The table of a run for the documentation, as Markdown: what can be compared, as ratios."""

import json


def page(path):
    document = json.loads(path.read_text())
    machine, options = document["machine"], document["options"]
    lines = [
        f"Measured on {document['started'][:10]}: {machine['cores']} cores ({machine['processor']}), "
        f"{machine['kernel']}, {machine['fileSystem']}; {options['pairs']} pairs of "
        f"{options['seconds']} s each.",
        "", "| case | beside | ratio | spread | aim |", "| --- | --- | --- | --- | --- |"]
    for case in document["cases"]:
        lines += [line(case, row) for row in case["rows"] if "ratioMedian" in row or "aim" in row]
    lines += [f"\nNot measured: {skipped['what']}." for skipped in document["skipped"]]
    return "\n".join(lines)


def line(case, row):
    if row.get("ratioMedian") is not None:
        ratio = f"{row['ratioMedian']:.2f}"
        spread = f"{row['ratioMin']:.2f} to {row['ratioMax']:.2f}"
    else:
        ratio = spread = ""
    aim = ""
    if "aim" in row:
        least, most = row["aim"].get("atLeast"), row["aim"].get("atMost")
        aim = f"at most {most:g}" if least is None else f"at least {least:g}"
        if row["aim"]["of"] == "service":
            ratio = f"{row['serviceMedian']:.3g} {row['unit']}"
        aim += ", met" if row["met"] else ", missed"
    cells = [f"{case['name']}: {row['name'].strip()}", row.get("beside", ""), ratio, spread, aim]
    return "| " + " | ".join(cells) + " |"
