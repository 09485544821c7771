"""Other services with the same payload and as many in flight, beside ours."""

from measure import Aim, Row
from peers import Absent
from peers.nats import Nats
from peers.postgres import Postgres
from peers.redis import Redis

# How Redis may have 10,000 in flight: clients and how many each sends at once.
REDIS_SHAPES = ((1, 10_000), (10, 1000), (50, 200))


def redis(run):
    return beside(run, "Redis Streams", Redis, measure_redis)


def measure_redis(run, service, server):
    # As long as the other runs take, by what it does in a short one; of all shapes the best.
    rates = {
        shape: server.load(*shape, 100_000)["perSecond"] for shape in REDIS_SHAPES}
    best = max(rates, key=rates.get)
    run.say("Redis: " + ", ".join(
        f"{clients} × {pipeline}: {rate:,.0f}/s" for (clients, pipeline), rate in rates.items()))
    count = round(rates[best] * run.seconds)
    ours, theirs = run.interleave(
        lambda: load(service, 10_000, run), lambda: server.load(*best, count))
    single = run.interleave(
        lambda: load(service, 1, run), lambda: server.load(1, 1, 1000 * run.seconds))
    clients, pipeline = best
    beside = f"XADD, appendfsync always, {clients} × {pipeline:,} pipelined"
    return [
        row("10,000 in flight", ours, theirs, beside, Aim("ratio", at_least=1.3)),
        row("1 in flight", *single, "XADD, appendfsync always")]


def postgres(run):
    return beside(run, "PostgreSQL", Postgres, measure_postgres)


def measure_postgres(run, service, server):
    found = []
    for clients in (1, 16, 64):
        ours, theirs = run.interleave(
            lambda: load(service, clients, run), lambda: server.load(clients, run.seconds))
        found.append(row(
            f"{clients} in flight", ours, theirs, f"INSERT, synchronous commit, {clients} clients"))
    return found


def nats(run):
    return beside(run, "NATS JetStream", Nats, measure_nats)


def measure_nats(run, service, server):
    what = "publish, synced before each acknowledgment"
    if not server.is_synced:
        what = "publish, NOT synced"
        run.note(
            f"nats-server {server.version()} cannot sync before it acknowledges (sync_interval: "
            "always came with 2.10): its figures are of messages that a crash may lose")
    found = []
    # It syncs them one by one, so it would take minutes to get through with more.
    for in_flight in (1, 1000 if server.is_synced else 10_000):
        ours, theirs = run.interleave(
            lambda: load(service, in_flight, run), lambda: server.load(in_flight, run.seconds))
        found.append(row(f"{in_flight:,} in flight", ours, theirs, what))
    return found


def beside(run, name, peer, measure):
    """Rows of a service and a peer that stand side by side; none, with the reason, without the peer."""
    run.say(name)
    try:
        server = peer(run)
        with run.service() as service:
            # What an event takes in our log is what the peer gets to store.
            server.payload_bytes = round(service.bench("load", "--seconds", 1)["logBytes"])
            with server:
                run.versions[name] = server.version()
                return measure(run, service, server)
    except Absent as reason:
        run.skip(name, str(reason))
        return []


def load(service, in_flight, run):
    return service.bench("load", "--inflight", in_flight, "--seconds", run.seconds)


def row(name, ours, theirs, beside, aim=None):
    return Row(
        name, "1/s", [line["perSecond"] for line in ours], [line["perSecond"] for line in theirs],
        beside, aim)
