"""Random clients that command one stream at the same time, and a model that checks what came of it.

A model (`list_model`, `mailbox_model`) is built from the log's events alone, and knows besides what each
command must do, in the way in which one would write it first. Nobody knows in what order the clients'
commands are decided until the log tells: then each receipt names the revision that its command was
decided on, and the model of that revision says what had to happen.
"""

import os
import random
import threading

from harness import DEADLINE_SECONDS, new_id


def seeds(count):
    """The seeds of a random test: 1 to `count`, or the one in SWIPESTREAM_SEED, to run it again."""
    given = os.environ.get("SWIPESTREAM_SEED")
    return [int(given)] if given else list(range(1, count + 1))


class Refused(Exception):
    """That a command must be refused, with this code and these ids; with whichever ids for None."""

    def __init__(self, code, ids=()):
        super().__init__(code)
        self.code, self.ids = code, None if ids is None else list(ids)


def refuse(code, ids):
    """Refuses a command because of these ids, if there are any."""
    if ids:
        raise Refused(code, ids)


def outcome(data, one, ids, changed):
    """What a command tells of its ids: nothing of a single one, of several whether each changed."""
    if one in data:
        return {}
    return {"results": [{one: each, "changed": each in changed} for each in ids]}


class Vocabulary:
    """The events and commands that a model knows. A new one is added to its model's file, at one place
    each."""

    def __init__(self):
        self.events, self.commands, self.choices = {}, {}, []
        # How a step of a kind that one file alone knows is taken back.
        self.ways_back = {}

    def event(self, *types):
        """Says how an event changes the model: a function of the model and the event's data."""
        def add(body):
            self.events.update({kind: body for kind in types})
            return body
        return add

    def command(self, name, weight, data):
        """Says what a command does to the model, and gives its outcome or raises `Refused`.

        `weight` is how often clients send it, `data` makes its data of a `Chooser`'s choices.
        """
        def add(body):
            self.commands[name] = body
            self.choices += [(name, data)] * weight
            return body
        return add


class NothingSelected(Exception):
    """That a selection covers nothing: then the command does nothing."""


def selected(data, many, ids):
    """The ids that a selection by ranges, or of all, covers among `ids`; None where it is none."""
    if data.get("all"):
        chosen = sorted(ids)
    elif isinstance(data.get(many), str):
        ranges = [part.partition("-") for part in data[many].split(",")]
        chosen = sorted(
            each for each in ids
            if any(int(low) <= each <= (int(high) if high else each if dash else int(low))
                   for low, dash, high in ranges))
    else:
        return None
    if not chosen:
        raise NothingSelected
    return chosen


class Model:
    """What every model has: `vocabulary`, `copy`, `facts` (all that the rules know), `last_number` (of a
    mail or an item), and `page`, what the view shows for one of `VIEWS`, parameters of a query."""

    # The stream's last commands, for taking them back.
    journal = None

    def apply(self, event):
        self.journal = self.journal.begin(event["meta"])
        self.vocabulary.events[event["type"]](self, event["data"])

    def expect(self, command, data):
        """Carries out a command as the rules say, and gives its outcome."""
        try:
            return self.vocabulary.commands[command](self, data)
        except NothingSelected:
            return {"results": []}

    def note(self, step):
        """Keeps what an event changed, for taking it back."""
        self.journal = self.journal.noting(step)


class Chooser:
    """A client's random choices: they hang on the seed alone, not on what others do."""

    def __init__(self, seed, vocabulary, bound, growth):
        self.random = random.Random(seed)
        self.vocabulary = vocabulary
        # About how many ids there are by now, and how many more there are with each of its own.
        self.bound, self._growth = bound, growth
        self._batch = [1, 2]
        # The ids of the commands that its client sent.
        self.sent = []

    def grow(self):
        """Notes that this client makes one more, as the others do meanwhile."""
        self.bound += self._growth

    def chance(self, odds):
        return self.random.randrange(odds) == 0

    def number(self):
        """Mostly the number of one that is there: early ones may be gone, the last not be there yet."""
        return self.random.randint(max(1, self.bound - 80), self.bound)

    def targets(self, one, many):
        if self.chance(2):
            return {one: self.number()}
        if self.chance(4):
            first = self.number()
            return {many: self.random.choice([
                f"{first}-{first + 3}", f"{first},{first + 2}", f"{self.bound - 2}-,{first}"])}
        if self.chance(2):
            # The batch that it sent before: what went away together comes back together.
            self.random.shuffle(self._batch)
            return {many: list(self._batch)}
        first = self.number()
        neighbours = list(range(first, first + self.random.randint(2, 4)))
        self._batch = neighbours if self.chance(2) else [first, self.number()]
        return {many: list(self._batch)}

    def anchor(self):
        key = self.random.choice(["after", "before", "first", "last"])
        return {key: self.number() if key in ("after", "before") else True}

    def earlier_command(self):
        """The id of a command that was sent before, if any was."""
        return self.random.choice(self.sent[-25:] or ["none"])

    def command(self):
        """A command's name and data."""
        name, data = self.random.choice(self.vocabulary.choices)
        return name, data(self)


class RandomClient(threading.Thread):
    """Sends random commands, several at a time, and keeps them with their answers."""

    def __init__(self, client, stream, chooser, count):
        super().__init__(daemon=True)
        self.exchanges = []
        self.failure = None
        self._client, self._stream, self._chooser, self._count = client, stream, chooser, count
        self._sent = []

    def run(self):
        try:
            while len(self._sent) < self._count:
                burst = [self._next() for _ in range(self._chooser.random.randint(1, 12))]
                for request in burst:
                    self._client.send(request)
                for request in burst:
                    reply = self._client.receive()
                    # Receipts come in the order in which commands were sent.
                    assert reply["id"] == request["id"], (request, reply)
                    self.exchanges.append((request, reply))
        except Exception as failure:  # Told to the test, which joins this thread.
            self.failure = failure

    def _next(self):
        if self._sent and self._chooser.chance(15):
            # Nobody knows yet what became of it: it may be a duplicate, or be decided again.
            request = dict(self._chooser.random.choice(self._sent[-20:]))
            request.pop("expect", None)
        else:
            name, data = self._chooser.command()
            request = {
                "op": "command", "id": new_id("model"), "stream": self._stream, "command": name,
                "data": data}
            if self._chooser.chance(20):
                # Mostly a conflict; in a race it may be right, too.
                request["expect"] = self._expected()
        self._sent.append(request)
        self._chooser.sent.append(request["id"])
        return request

    def _expected(self):
        """The revision that this client saw last."""
        seen = [reply["revision"] for _, reply in self.exchanges[-20:] if reply["ok"]]
        return seen[-1] if seen else 1

    def finish(self):
        self.join(2 * DEADLINE_SECONDS)
        assert not self.is_alive()
        if self.failure:
            raise self.failure


class Observer(threading.Thread):
    """Asks for the view again and again while others write."""

    def __init__(self, client, stream):
        super().__init__(daemon=True)
        self.seen = []
        self.failure = None
        self._client, self._stream = client, stream
        self._stopping = threading.Event()

    def run(self):
        try:
            while not self._stopping.wait(0.05):
                self.seen.append(self._client.request(
                    "query", view=self._stream.split("/")[0], stream=self._stream, limit=1000))
        except Exception as failure:
            self.failure = failure

    def finish(self):
        self._stopping.set()
        self.join(DEADLINE_SECONDS)
        if self.failure:
            raise self.failure


class ModelRun:
    """One stream, its history as the log has it, and the model at each of its revisions."""

    def __init__(self, service, stream, model):
        self.service, self.stream = service, stream
        self.models, self.events = [model], []
        # By command id: the first receipt of each command that wrote.
        self.written = {}

    def round(self, seed, clients, count):
        """Lets clients loose on the stream, then checks all that they were told."""
        self.take_in()
        # From here on the view has the stream.
        self.service.client().view(self.stream)
        start = len(self.events)
        bound = self.models[-1].last_number
        vocabulary = self.models[0].vocabulary
        running = [
            RandomClient(
                self.service.client(), self.stream,
                Chooser(seed * 1000 + number, vocabulary, bound, clients // 2), count)
            for number in range(clients)]
        observer = Observer(self.service.client(), self.stream)
        for each in [*running, observer]:
            each.start()
        for each in [*running, observer]:
            each.finish()
        self.take_in()
        for each in running:
            self._check_client(each.exchanges, start)
        wrote = sum(
            reply["events"] for each in running for _, reply in each.exchanges
            if reply["ok"] and not reply.get("duplicate"))
        assert wrote == len(self.events) - start, "every event is some receipt's"
        for view in observer.seen:
            self.check_view(view)
        return running

    def take_in(self):
        """Reads what the log has of the stream, and replays it."""
        client = self.service.client()
        page = {"next": 0 if not self.events else self.events[-1]["position"], "head": None}
        while page["next"] != page["head"]:
            page = client.request(
                "read", **{"from": page["next"], "limit": 1000, "stream": self.stream})
            for event in page["events"]:
                assert event["stream"] == self.stream
                self.events.append(event)
                assert event["revision"] == len(self.events)
                model = self.models[-1].copy()
                model.apply(event)
                self.models.append(model)

    def check_variety(self):
        """That most kinds of events were written: chance may leave some out."""
        known = set(self.models[0].vocabulary.events)
        assert len({event["type"] for event in self.events}) > 0.8 * len(known)

    # What one client was told

    def _check_client(self, exchanges, start):
        """That there is one order of decisions in which all of a client's answers are right."""
        decided = start
        for request, reply in exchanges:
            first = self.written.get(request["id"])
            if first:
                assert reply == {**first, "duplicate": True}, (first, reply)
            elif reply["ok"]:
                decided = self._check_granted(request, reply, decided)
            else:
                decided = self._check_refused(request, reply["error"], decided)

    def _check_granted(self, request, reply, decided):
        assert not reply.get("duplicate"), reply
        revision, count = reply["revision"], reply["events"]
        before = revision - count
        assert before >= decided, ("decided on an older state than an earlier command", reply)
        assert request.get("expect", before) == before, (request, reply)
        model = self.models[before].copy()
        try:
            outcome = model.expect(request["command"], request["data"])
        except Refused as refused:
            raise AssertionError(("must be refused", refused.code, request, reply)) from None
        assert model.facts() == self.models[revision].facts(), (
            request, reply, self.events[before:revision])
        assert outcome == reply["outcome"], (request, outcome, reply["outcome"], self.events[before:revision])
        events = self.events[before:revision]
        assert all(event["meta"]["command"] == request["id"] for event in events)
        if events:
            assert reply["position"] == events[-1]["position"]
            self.written[request["id"]] = reply
        return revision

    def _check_refused(self, request, error, decided):
        if error["code"] == "conflict":
            assert request["expect"] != error["revision"] >= decided, (request, error)
            return error["revision"]
        # The answer does not say which state it was decided on; the first that it fits is taken.
        for revision in range(decided, len(self.models)):
            if request.get("expect", revision) != revision:
                continue
            try:
                self.models[revision].copy().expect(request["command"], request["data"])
            except Refused as refused:
                if refused.code == error["code"] and refused.ids in (None, error.get("ids", [])):
                    return revision
        raise AssertionError(("right in no state since revision", decided, request, error))

    # What everybody sees

    def check_view(self, view):
        """That a view is what the model of its revision shows."""
        assert_within(self.models[view["revision"]].page({}), view)

    def check_reading(self):
        """That queries, states and the model agree, all pages in one."""
        self.take_in()
        client = self.service.client()
        model = self.models[-1]
        for parameters in model.VIEWS:
            view = client.view(self.stream, limit=1000, **parameters)
            assert view["revision"] == len(self.events)
            assert_within(model.page(parameters), view)
            state = client.request("state", stream=self.stream, limit=1000, **parameters)
            assert {**state, "id": 0} == {**view, "id": 0}
        # Of any moment: what the view would have been.
        for part in range(1, 5):
            event = self.events[part * len(self.events) // 5]
            self.check_view(client.request(
                "state", stream=self.stream, at=event["position"], limit=1000))


def assert_within(part, whole, path="view"):
    """That `whole` has all that `part` has; it may have further members."""
    if isinstance(part, dict):
        for key, value in part.items():
            assert_within(value, whole[key], f"{path}.{key}")
    elif isinstance(part, list):
        assert len(part) == len(whole), (path, part, whole)
        for index, value in enumerate(part):
            assert_within(value, whole[index], f"{path}[{index}]")
    else:
        assert part == whole, path
