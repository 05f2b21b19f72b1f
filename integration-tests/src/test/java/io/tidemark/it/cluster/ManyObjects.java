package io.tidemark.it.cluster;

import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.time.WorkerPool;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** Objects of a large cluster, made and written by several threads. */
final class ManyObjects {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final int WRITERS = 8;
  private static final int NODES_PER_SUBNET = 1_000;

  private final ClusterConnection cluster;
  private final CiliumNodes nodes;

  ManyObjects(ClusterConnection cluster) {
    this.cluster = cluster;
    this.nodes = new CiliumNodes(cluster);
  }

  static String name(int node) {
    return String.format(Locale.ROOT, "node-%05d", node);
  }

  /** CiliumNodes of m5.xlarge instances (14 addresses by interface) with pre-allocate 8. */
  void nodes(int count) {
    each(count, WRITERS, node -> nodes.create(node(name(node), node)));
  }

  private static String node(String name, int number) {
    return """
        {"apiVersion":"cilium.io/v2","kind":"CiliumNode","metadata":{"name":"NAME"},
         "spec":{"instance-id":"INSTANCE","ipam":{"pre-allocate":8},"eni":{
           "availability-zone":"eu-central-1a","first-interface-index":0,
           "instance-type":"m5.xlarge","node-subnet-id":"subnet-SHARE","vpc-id":"vpc-1"}}}
        """
        .replace("NAME", name)
        .replace("INSTANCE", String.format(Locale.ROOT, "i-%017x", number + 1))
        .replace("SHARE", Integer.toString(number / NODES_PER_SUBNET));
  }

  /** Running pods, spread over that many nodes. */
  void pods(int count, int nodes) {
    each(
        count,
        WRITERS,
        pod -> {
          String name = "pod-" + pod;
          bind(name, name(pod % nodes));
          put(PODS + '/' + name + "/status", pod(name, "\"status\":{\"phase\":\"Running\"}"));
        });
  }

  /** Pods that wait for an address, spread over that many nodes. */
  void waitingPods(int count, int nodes) {
    each(count, WRITERS, pod -> bind("waiting-" + pod, name(pod % nodes)));
  }

  /** Makes a pod that waits on a node. */
  private void bind(String name, String node) {
    post(
        PODS,
        pod(
            name,
            "\"spec\":{\"nodeName\":\""
                + node
                + "\",\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}"));
  }

  private static String pod(String name, String rest) {
    return "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\""
        + name
        + "\",\"namespace\":\"default\"},"
        + rest
        + '}';
  }

  /**
   * How fast the server takes the two writes that a node needs, by {@code writers} at a time.
   *
   * @param like what is written, of an operator's making
   * @return nodes per second
   */
  double twoWritesPerSecond(String prefix, int count, int writers, NodeResource like) {
    NodeResource[] made = new NodeResource[count];
    each(count, WRITERS, i -> made[i] = nodes.create(node(prefix + i, i)));
    long start = System.nanoTime();
    each(
        count,
        writers,
        i -> {
          NodeResource object = made[i];
          NodeResource status =
              object.withStatusOf(like).withSpecOf(NodeResource.named(object.name()));
          NodeResource stored = nodes.writeStatus(status);
          put(
              CiliumNodes.PATH + '/' + object.name(),
              NodeResourceJson.print(stored.withPool(like.pool())));
        });
    double seconds = (System.nanoTime() - start) / 1e9;
    each(count, WRITERS, i -> nodes.delete(prefix + i));
    return count / seconds;
  }

  private String post(String path, String text) {
    return cluster.client().raw(path, "POST", text);
  }

  private String put(String path, String text) {
    return cluster.client().raw(path, "PUT", text);
  }

  /**
   * Does the work of each number from 0 on, by so many threads at a time; ends when all is done.
   */
  static void each(int count, int threads, IntConsumer work) {
    try (WorkerPool pool = new WorkerPool("writer", threads, Math.max(1, count))) {
      CompletableFuture.allOf(
              IntStream.range(0, count)
                  .mapToObj(i -> CompletableFuture.runAsync(() -> work.accept(i), pool))
                  .toArray(CompletableFuture[]::new))
          .join();
    }
  }
}
