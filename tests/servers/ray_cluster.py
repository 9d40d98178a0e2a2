"""A Ray cluster of two nodes on this machine: says its addresses for others and for nodes, and ends with its input."""

from __future__ import annotations

import json
import socket
import sys

from ray.cluster_utils import Cluster


def main() -> None:
    """Start it, say where it is, and wait."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    head = {"num_cpus": 1, "num_gpus": 1, "ray_client_server_port": port, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    cluster.add_node(num_cpus=1)
    sys.stdout.write(json.dumps([f"ray://127.0.0.1:{port}", cluster.address]) + "\n")
    sys.stdout.flush()
    sys.stdin.read()
    cluster.shutdown()


if __name__ == "__main__":
    main()
