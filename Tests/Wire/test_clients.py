"""Who may connect, and how (§5): DEALER, REQ, `ipc`, and identities that clients choose."""

import threading

import zmq

from harness import INBOX, code_of, mail, page_of, wait_until


def test_req_client(service):
    """A REQ socket's empty delimiter is echoed; every request gets its answer."""
    client = service.client(kind=zmq.REQ)
    assert client.done(INBOX, "deliver", mail(1))["outcome"] == {"mail": 1}
    assert client.request("ping").keys() == {"id", "ok"}
    assert client.request("read")["head"] == 1
    assert client.view()["counts"]["total"] == 1
    assert client.rejected(INBOX, "flag", {"mail": 2})["code"] == "not-found"
    client.socket.send(b"no JSON")
    assert code_of(client.receive()) == "malformed"
    client.socket.send(b" " * (2 << 20))
    assert code_of(client.receive()) == "too-large"
    assert client.request("ping")["ok"]


def test_req_cannot_subscribe(service):
    client = service.client(kind=zmq.REQ)
    assert client.refused("subscribe", **{"from": "start"})["code"] == "invalid"
    assert client.request("status")["subscriptions"] == 0


def test_dealer_with_a_delimiter(client):
    """A DEALER that sends the delimiter gets it back; one that does not gets none."""
    client.send_frames(b"", b'{"op":"ping","id":"with"}')
    assert client.receive_frames() == [b"", b'{"id":"with","ok":true}']
    client.send_frames(b'{"op":"ping","id":"without"}')
    assert client.receive_frames() == [b'{"id":"without","ok":true}']


def test_ipc(new_service, tmp_path):
    """Commands go over `ipc://` too, from the wire and from the command line."""
    endpoint = f"ipc://{tmp_path}/commands"
    service = new_service(commands=endpoint).start()
    assert service.commands == endpoint
    assert service.client().deliver()["position"] == 1
    assert service.cli_json("send", INBOX, "flag", "mail=1")["position"] == 2


def test_two_clients_with_one_identity(service):
    """The service does not rely on chosen identities: whoever takes another's name disturbs
    neither it nor anybody else, and gets nothing of it."""
    bystander = service.client()
    subscriber = service.client(routing_id=b"same")
    subscriber.request("subscribe", **{"from": "start"})
    assert subscriber.message()["live"]
    impostor = service.client(routing_id=b"same")
    for number in range(50):
        impostor.send({"op": "ping", "id": f"impostor-{number}"})
        subscriber.request("ping", id=f"subscriber-{number}")
        assert bystander.deliver(first=number)["position"] == number + 1
    events = []
    while len(events) < 50:
        events += subscriber.message().get("events", [])
    assert [event["position"] for event in events] == list(range(1, 51))
    while not impostor.is_silent(200):
        assert impostor.receive()["id"].startswith("impostor-")


def test_an_identity_can_come_back(service):
    """A client that comes back under its old name is served. While the name still counts as taken
    it is not answered: it connects anew and sends the same command, which its id makes harmless."""
    for number in range(1, 21):
        def receipt():
            client = service.client(routing_id=b"name")
            client.send_command(INBOX, "deliver", mail(number), id=f"d{number}")
            answer = client.receive() if client.socket.poll(500) else None
            client.close()
            return answer

        assert wait_until(receipt, "an answer")["outcome"] == {"mail": number}


def test_each_client_gets_its_own_answers(service):
    """Thirty clients at once, each with the same request ids as all others."""
    failures = []

    def run(stream, client):
        try:
            ids = [
                client.send_command(stream, "deliver", mail(n), id=f"id-{n}") for n in range(200)]
            receipts = [client.reply(request_id) for request_id in ids]
            assert [receipt["revision"] for receipt in receipts] == list(range(1, 201))
            assert {receipt["stream"] for receipt in receipts} == {stream}
        except Exception as failure:
            failures.append(failure)

    threads = [
        threading.Thread(target=run, args=(f"mailbox/{number}", service.client()))
        for number in range(30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert service.client().head() == 6000


def test_ping_answers_before_a_slow_query(service):
    """A query that waits does not hold up its client's other requests."""
    client = service.client()
    client.deliver()
    waiting = client.send({"op": "query", "view": "mailbox", "stream": INBOX, "atLeast": 2,
                           "timeout": 30_000})
    client.request("ping")
    receipt = client.done(INBOX, "flag", {"mail": 1})
    page = client.reply(waiting)
    assert page_of(page)["position"] == receipt["position"] == 2
