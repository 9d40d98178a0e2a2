"""A Ray cluster of two nodes on this machine: says where it is, adds a node a line of its input, and ends with it."""

from __future__ import annotations

import json
import socket
import sys

from ray.cluster_utils import Cluster


def main() -> None:
    """Start it, say its addresses for others and for nodes, and of each node added the process."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    head = {"num_cpus": 1, "num_gpus": 1, "ray_client_server_port": port, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    cluster.add_node(num_cpus=1)
    say([f"ray://127.0.0.1:{port}", cluster.address])
    for _ in sys.stdin:
        node = cluster.add_node(num_cpus=1)
        say(node.all_processes["raylet"][0].process.pid)
    cluster.shutdown()


def say(value: object) -> None:
    """Write a line."""
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
