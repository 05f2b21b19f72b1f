package io.tidemark.it.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.it.program.NodeFolder;
import io.tidemark.it.program.OperatorProcess;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.server.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** An operator with the mock cloud over the manifests of a folder, and what it serves. */
final class PagedOperator implements AutoCloseable {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final String SUBNETS =
      "--mock-subnets=subnet-a=10.241.0.0/16;zone=eu-central-1a;vpc=vpc-1,"
          + "subnet-b=10.242.0.0/16;zone=eu-central-1b;vpc=vpc-1,"
          + "subnet-c=10.243.0.0/28;zone=eu-central-1c;vpc=vpc-1";

  /** The name of its cluster. */
  static final String CLUSTER = "prod-eu-1";

  /** How many nodes {@link #settled} has. */
  static final int NODES = 48;

  private final OperatorProcess process;
  private final int port;

  private PagedOperator(OperatorProcess process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * Starts it, and waits until it serves.
   *
   * @param buckets request limits of the cloud, as {@code mock-buckets} has them
   */
  static PagedOperator start(NodeFolder nodes, String buckets) throws IOException {
    int port = FreePorts.next();
    PagedOperator operator =
        new PagedOperator(
            OperatorProcess.start(
                Map.of(),
                List.of(
                    "run",
                    "--provider=mock",
                    "--nodes=" + nodes.path(),
                    "--port=" + port,
                    "--log-level=error",
                    "--cluster-name=" + CLUSTER,
                    "--mock-buckets=" + buckets,
                    "--release-excess-ips=true",
                    "--excess-ip-release-delay=1",
                    SUBNETS)),
            port);
    Eventually.holds("it serves", () -> operator.get("/healthz").statusCode() == 200);
    return operator;
  }

  /**
   * Starts one over a new folder with {@link #NODES} nodes, of which two are blocked and some
   * release addresses, and waits until all is done.
   */
  static PagedOperator settled(NodeFolder nodes, String buckets) throws IOException {
    Random random = new Random(5);
    for (int i = 0; i < NODES - 4; i++) {
      int pool = 2 + random.nextInt(7);
      int used = random.nextInt(pool + 1);
      nodes.write(i + ".yaml", used(name(i), i, pool, used, i % 5 == 0 ? 2 : 4));
    }
    for (String name : List.of("batch-1", "batch-2")) {
      nodes.write(name + ".yaml", node(name, "c", "m5.large", 8));
    }
    nodes.write("edge.yaml", node("edge-1", "b", "m5.large", 8));
    nodes.write("odd.yaml", subnetless("odd-1", "subnet-none"));
    PagedOperator operator = start(nodes, buckets);
    Eventually.holds("all is done", () -> operator.isSettled(NODES));
    return operator;
  }

  /** The name of a node that had addresses at the start, by its number from 0 to 43. */
  static String name(int number) {
    return "ip-10-241-%d-5.eu-central-1.compute.internal".formatted(10 + number);
  }

  int port() {
    return port;
  }

  HttpResponse<String> get(String path) throws IOException {
    try {
      URI uri = URI.create("http://localhost:" + port + path);
      return HTTP.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  JsonNode status() throws IOException {
    return new ObjectMapper().readTree(get("/status").body());
  }

  /** So many nodes stand so, and none is being filled. */
  boolean isSettled(int nodes) throws IOException {
    JsonNode summary = status().get("summary");
    return summary.get("nodes").asInt() == nodes
        && summary.at("/states/filling").isMissingNode()
        && summary.get("ready").asBoolean();
  }

  /**
   * The manifest of a node without addresses.
   *
   * @param zone a, b or c, and so its subnet; c has ten addresses
   */
  static String node(String name, String zone, String type, int preAllocate) {
    return """
        apiVersion: cilium.io/v2
        kind: CiliumNode
        metadata:
          name: "%1$s"
        spec:
          instance-id: i-%2$08x
          eni:
            availability-zone: eu-central-1%3$s
            first-interface-index: 0
            instance-type: "%4$s"
            node-subnet-id: subnet-%3$s
            vpc-id: vpc-1
          ipam:
            pre-allocate: %5$d
        """
        .formatted(name, name.hashCode(), zone, type, preAllocate);
  }

  /** The same of a node that needs an interface in a subnet that does not exist. */
  static String subnetless(String name, String subnet) {
    return node(name, "b", "m5.large", 8)
        .replace(
            "first-interface-index: 0",
            "first-interface-index: 1\n    subnet-ids: ['" + subnet + "']");
  }

  /**
   * The same of a node with a pool.
   *
   * @param number of the node, for its addresses
   */
  static String used(String name, int number, int pool, int used, int preAllocate) {
    String id = "eni-%017x".formatted(number + 1);
    StringBuilder text = new StringBuilder(node(name, "a", "m5.large", preAllocate));
    StringBuilder addresses = new StringBuilder();
    StringBuilder owners = new StringBuilder();
    text.append("    pool:\n");
    for (int i = 0; i < pool; i++) {
      String address = "10.241.%d.%d".formatted(10 + number, 10 + i);
      text.append("      ").append(address).append(":\n        resource: ").append(id).append('\n');
      addresses.append("        - ").append(address).append('\n');
      if (i < used) {
        owners.append("      ").append(address).append(": {owner: default/pod-").append(i);
        owners.append("}\n");
      }
    }
    return text.append(
            """
            status:
              eni:
                enis:
                  %1$s:
                    id: %1$s
                    ip: 10.241.%2$d.5
                    mac: "02:00:00:00:00:%2$02x"
                    number: 0
                    subnet: {id: subnet-a, cidr: 10.241.0.0/16}
                    vpc: {id: vpc-1}
                    availability-zone: eu-central-1a
                    addresses:
            """
                .formatted(id, 10 + number))
        .append(addresses.toString().indent(4))
        .append("  ipam:\n    used:\n")
        .append(owners.isEmpty() ? "      {}\n" : owners)
        .toString();
  }

  int stop() throws InterruptedException {
    return process.stop();
  }

  @Override
  public void close() {
    process.close();
  }
}
