package io.tidemark.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.cluster.ClusterNodeStore.Reading;
import io.tidemark.ip.Cidr;
import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.resource.ObjectWatcher;
import io.tidemark.resource.ResourceProblem;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The promises of every {@link ClusterNodeStore}; a backend extends it and gives it a cluster. */
public abstract class ClusterNodeStoreContract {
  /** A cluster whose nodes others change, and one store over it. */
  public interface World {
    ClusterNodeStore store();

    /** A node of that name registers. */
    ClusterNode create(String name);

    void delete(String name);

    /** The node is deleted, and waits for a finalizer. */
    void beginDeletion(String name);

    /** The node reports that it is alive. */
    void heartbeat(String name);

    /** Another program assigns CIDRs. */
    void assign(String name, String... cidrs);

    /** Waits until it holds; fails when it does not. */
    void eventually(String what, BooleanSupplier holds);
  }

  /** A cluster without nodes. */
  protected abstract World world();

  /** Whether a node takes CIDRs of families that it lacks, any number of each. */
  protected boolean grows() {
    return false;
  }

  /** Records the calls that it receives. */
  public static final class Told implements ObjectWatcher<ClusterNode> {
    private final List<String> log = Collections.synchronizedList(new ArrayList<>());

    @Override
    public void upserted(ClusterNode node) {
      log.add("upserted " + node.name() + ' ' + node.podCidrs().texts());
    }

    @Override
    public void deleted(String name) {
      log.add("deleted " + name);
    }

    @Override
    public void refused(String name, List<ResourceProblem> problems) {
      log.add("refused " + name);
    }

    @Override
    public void synced() {
      log.add("synced");
    }

    private static List<String> lastTwo(List<String> all) {
      return all.subList(Math.max(0, all.size() - 2), all.size());
    }

    /** Everything, in order. */
    public List<String> log() {
      return List.copyOf(log);
    }
  }

  private static List<Cidr> cidrs(String... texts) {
    return Stream.of(texts).map(Cidr::parse).toList();
  }

  static ClusterNode accepted(NodeChange change) {
    assertThat(change).isInstanceOf(NodeChange.Accepted.class);
    return ((NodeChange.Accepted) change).node();
  }

  private static ClusterNode found(Reading reading) {
    assertThat(reading).isInstanceOf(Reading.Found.class);
    return ((Reading.Found) reading).node();
  }

  static ClusterNode read(World world, String name) {
    return found(world.store().get(name));
  }

  @Test
  @DisplayName("a node gets its CIDRs, IPv4 or IPv6 first as given, in both fields")
  void assigns() {
    World world = world();
    ClusterNode made = world.create("n1");
    List<Cidr> both = cidrs("2001:db8::/80", "10.244.3.0/24");
    ClusterNode now = accepted(world.store().assignPodCidrs("n1", made.uid(), both));
    assertThat(now.podCidrs().all()).containsExactly("2001:db8::/80", "10.244.3.0/24");
    assertThat(now.podCidrs().first()).isEqualTo("2001:db8::/80");
    assertThat(now.uid()).isEqualTo(made.uid());
    assertThat(now.version()).isNotEqualTo(made.version());
    assertThat(world.store().latest("n1").map(ClusterNode::podCidrs)).contains(now.podCidrs());
    assertThat(read(world, "n1").podCidrs()).isEqualTo(now.podCidrs());
  }

  @Test
  @DisplayName("the same CIDRs again are accepted and change nothing")
  void repeated() {
    World world = world();
    String uid = world.create("n1").uid();
    List<Cidr> one = cidrs("10.244.3.0/24");
    ClusterNode first = accepted(world.store().assignPodCidrs("n1", uid, one));
    assertThat(accepted(world.store().assignPodCidrs("n1", uid, one))).isEqualTo(first);
  }

  @Test
  @DisplayName("other CIDRs are refused as occupied; the node keeps its own")
  void occupied() {
    World world = world();
    String uid = world.create("n1").uid();
    world.assign("n1", "10.244.3.0/24");
    assertThat(world.store().assignPodCidrs("n1", uid, cidrs("10.244.4.0/24")))
        .isInstanceOf(NodeChange.Occupied.class);
    assertThat(read(world, "n1").podCidrs().texts()).containsExactly("10.244.3.0/24");
  }

  @Test
  @DisplayName("one CIDR more than a node has is occupied, unless nodes take missing families")
  void oneMore() {
    World world = world();
    String uid = world.create("n1").uid();
    world.assign("n1", "10.244.3.0/24");
    NodeChange change =
        world.store().assignPodCidrs("n1", uid, cidrs("10.244.3.0/24", "2001:db8::/80"));
    List<String> now = read(world, "n1").podCidrs().texts();
    if (grows()) {
      assertThat(accepted(change).podCidrs().all()).isEqualTo(now);
      assertThat(now).containsExactly("10.244.3.0/24", "2001:db8::/80");
    } else {
      assertThat(change).isInstanceOf(NodeChange.Occupied.class);
      assertThat(now).containsExactly("10.244.3.0/24");
    }
  }

  @Test
  @DisplayName("a node that is gone, and a later one of its name, get nothing")
  void gone() {
    World world = world();
    String before = world.create("n1").uid();
    world.delete("n1");
    List<Cidr> one = cidrs("10.244.3.0/24");
    assertThat(world.store().assignPodCidrs("n1", before, one)).isEqualTo(new NodeChange.Gone());
    assertThat(world.store().get("n1")).isEqualTo(new Reading.Absent());
    String after = world.create("n1").uid();
    assertThat(after).isNotEqualTo(before);
    assertThat(world.store().assignPodCidrs("n1", before, one)).isEqualTo(new NodeChange.Gone());
    assertThat(read(world, "n1").podCidrs().isEmpty()).isTrue();
    assertThat(accepted(world.store().assignPodCidrs("n1", after, one)).uid()).isEqualTo(after);
  }

  @Test
  @DisplayName("a node that has other CIDRs and another uid is gone, not occupied")
  void goneBeforeOccupied() {
    World world = world();
    String before = world.create("n1").uid();
    world.delete("n1");
    world.create("n1");
    world.assign("n1", "10.244.4.0/24");
    assertThat(world.store().assignPodCidrs("n1", before, cidrs("10.244.3.0/24")))
        .isEqualTo(new NodeChange.Gone());
  }

  @Test
  @DisplayName("a node that is being deleted takes CIDRs")
  void beingDeleted() {
    World world = world();
    String uid = world.create("n1").uid();
    world.beginDeletion("n1");
    assertThat(read(world, "n1").beingDeleted()).isTrue();
    ClusterNode now = accepted(world.store().assignPodCidrs("n1", uid, cidrs("10.244.3.0/24")));
    assertThat(now.beingDeleted()).isTrue();
  }

  @Test
  @DisplayName("no CIDR at all, and two of a family, are a mistake of the caller")
  void onePerFamily() {
    World world = world();
    String uid = world.create("n1").uid();
    List<Cidr> two = cidrs("10.244.3.0/24", "10.244.4.0/24");
    for (List<Cidr> wrong : grows() ? List.of(cidrs()) : List.of(cidrs(), two)) {
      assertThatThrownBy(() -> world.store().assignPodCidrs("n1", uid, wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("one block per family");
    }
  }

  @Test
  @DisplayName("annotations of others are a mistake of the caller")
  void annotatesOwnNames() {
    World world = world();
    ClusterNode made = world.create("n1");
    assertThatThrownBy(() -> world.store().annotate(made, Map.of("example.org/x", "1")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("example.org/x");
  }

  @Test
  @DisplayName("a watcher receives all nodes, then synced, then each change, and no heartbeat")
  void watch() {
    World world = world();
    world.create("n1");
    world.create("n2");
    Told told = new Told();
    Watch watch = world.store().watch(told);
    world.eventually("all are delivered", () -> told.log().contains("synced"));
    assertThat(told.log())
        .containsExactlyInAnyOrder("upserted n1 []", "upserted n2 []", "synced")
        .last()
        .isEqualTo("synced");
    assertThat(world.store().names()).containsExactlyInAnyOrder("n1", "n2");
    world.heartbeat("n1");
    world.assign("n2", "10.244.3.0/24");
    world.eventually("n2 has CIDRs", () -> told.log().size() == 4);
    world.delete("n1");
    world.eventually("n1 is gone", () -> told.log().size() == 5);
    assertThat(told.log().subList(3, 5))
        .containsExactly("upserted n2 [10.244.3.0/24]", "deleted n1");
    assertThat(world.store().names()).containsExactly("n2");
    assertThat(world.store().latest("n1")).isEmpty();
    watch.close();
  }

  @Test
  @DisplayName(
      "a node that is created again under its name is delivered as a deletion and an addition")
  void incarnations() {
    World world = world();
    world.create("n1");
    world.assign("n1", "10.244.3.0/24");
    Told told = new Told();
    Watch watch = world.store().watch(told);
    world.eventually("all are delivered", () -> told.log().contains("synced"));
    world.delete("n1");
    world.create("n1");
    world.eventually(
        "the new one is delivered",
        () -> Told.lastTwo(told.log()).equals(List.of("deleted n1", "upserted n1 []")));
    assertThat(told.log())
        .containsSubsequence("upserted n1 [10.244.3.0/24]", "deleted n1", "upserted n1 []");
    watch.close();
  }

  @Test
  @DisplayName("a read shows what others have just changed, and nothing older comes after it")
  void monotone() {
    World world = world();
    world.create("n1");
    Told told = new Told();
    Watch watch = world.store().watch(told);
    world.assign("n1", "10.244.3.0/24");
    ClusterNode now = read(world, "n1");
    assertThat(now.podCidrs().texts()).containsExactly("10.244.3.0/24");
    assertThat(world.store().latest("n1")).contains(now);
    world.eventually("it is delivered", () -> told.log().contains("upserted n1 [10.244.3.0/24]"));
    assertThat(world.store().latest("n1").map(ClusterNode::podCidrs)).contains(now.podCidrs());
    watch.close();
  }
}
