"""All cases, in the order in which they run."""

from cases import commands, growth, memory, peers, reading, sizes, start, views
from cases.case import Case

ALL = [
    Case("commands", "durable commands by how many are in flight", commands.in_flight),
    Case("kinds", "durable commands by what they do and from where", commands.kinds),
    Case("clients", "durable commands from 16 processes", commands.clients),
    Case("redis", "beside Redis Streams", peers.redis),
    Case("postgres", "beside PostgreSQL", peers.postgres),
    Case("nats", "beside NATS JetStream", peers.nats),
    Case("tail", "reading history through a subscription", reading.tail),
    Case("live", "from a command's sending to its subscriber", reading.live),
    Case("replay", "reading the log", reading.replay),
    Case("rebuild", "building the views anew", views.rebuild),
    Case("start", "from a start to the first receipt", start.start),
    Case("sizes", "one in flight, in small and in large streams", sizes.sizes),
    Case("memory", "what things take in memory", memory.memory),
    Case("growth", "how figures grow", growth.growth, is_default=False),
]
