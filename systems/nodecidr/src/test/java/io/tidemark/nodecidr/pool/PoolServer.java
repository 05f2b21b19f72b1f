package io.tidemark.nodecidr.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.resource.InMemoryNodeResourceStore;
import io.tidemark.resource.InMemoryNodeResourceStore.DeliveryDelay;
import io.tidemark.resource.InMemoryNodeResourceStore.Interference;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.ParsedResource;
import io.tidemark.resource.StoreResult;
import io.tidemark.time.TaskScheduler;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** CiliumNodes on an API server in memory, and what agents and people do with them. */
public final class PoolServer {
  private final InMemoryNodeResourceStore server;
  private final TaskScheduler scheduler;
  private final NodeResourceStore others;
  private int uids;

  /** Empty. */
  public PoolServer(TaskScheduler scheduler) {
    this.server = new InMemoryNodeResourceStore(scheduler.time());
    this.scheduler = scheduler;
    this.others = server.client(scheduler);
  }

  /** Its clients and all its objects. */
  public InMemoryNodeResourceStore server() {
    return server;
  }

  NodeResourceStore client(Interference faults) {
    return writer(PoolWorld.MANAGER, faults);
  }

  private NodeResourceStore writer(String manager, Interference faults) {
    return server.operator(manager, Optional.empty(), scheduler, DeliveryDelay.NONE, faults);
  }

  /** An object of that name with these CIDRs registers, and gets a uid. */
  public NodeResource create(String name, String... cidrs) {
    return create(name, "", cidrs);
  }

  /** The same, exempt from us. */
  public NodeResource createIgnored(String name, String... cidrs) {
    return create(name, ",\"annotations\":{\"ipam.cilium.io/ignore\":\"true\"}", cidrs);
  }

  private NodeResource create(String name, String metadata, String... cidrs) {
    NodeResource node = parse(name, "u-" + ++uids, metadata, cidrs);
    assertThat(server.create(node)).isInstanceOf(StoreResult.Stored.class);
    return node(name);
  }

  private NodeResource parse(String name, String uid, String metadata, String... cidrs) {
    String podCidrs =
        Stream.of(cidrs).map(each -> '"' + each + '"').collect(Collectors.joining(","));
    String text =
        """
        {"apiVersion":"cilium.io/v2","kind":"CiliumNode","metadata":{"name":"%s","uid":"%s",
        "creationTimestamp":"%s"%s},"spec":{"ipam":{"podCIDRs":[%s]}}}
        """
            .formatted(name, uid, Instant.EPOCH.plusSeconds(uids), metadata, podCidrs);
    ParsedResource<NodeResource> parsed = NodeResourceJson.parse(text, "test");
    assertThat(parsed).isInstanceOf(ParsedResource.Valid.class);
    return ((ParsedResource.Valid<NodeResource>) parsed).resource();
  }

  /** Somebody deletes an object. */
  public void delete(String name) {
    assertThat(server.delete(name)).isTrue();
  }

  /** The same incarnation gets other metadata. */
  public void replace(String name, String metadata) {
    assertThat(
            server.change(
                name,
                node ->
                    parse(name, node.uid().orElseThrow(), metadata)
                        .withSpecOf(node)
                        .withStatusOf(node)))
        .isTrue();
  }

  /** Somebody writes CIDRs. */
  void assign(String name, String... cidrs) {
    change(name, node -> node.withPodCidrs(List.of(cidrs)));
  }

  /** Another program writes CIDRs, which the server records by its name. */
  public void assignAs(String manager, String name, String... cidrs) {
    NodeResource node = node(name);
    assertThat(writer(manager, Interference.NONE).update(node, node.withPodCidrs(List.of(cidrs))))
        .isInstanceOf(StoreResult.Stored.class);
  }

  /** Another program changes the spec. */
  public void change(String name, UnaryOperator<NodeResource> change) {
    NodeResource node = node(name);
    assertThat(others.update(node, change.apply(node))).isInstanceOf(StoreResult.Stored.class);
  }

  /** Another program changes the status. */
  public void changeStatus(String name, UnaryOperator<NodeResource> change) {
    NodeResource node = node(name);
    assertThat(others.updateStatus(node, change.apply(node)))
        .isInstanceOf(StoreResult.Stored.class);
  }

  /** As it is. */
  public NodeResource node(String name) {
    return server.find(name).orElseThrow(() -> new AssertionError("no " + name));
  }

  List<String> cidrs(String name) {
    return node(name).podCidrs();
  }
}
