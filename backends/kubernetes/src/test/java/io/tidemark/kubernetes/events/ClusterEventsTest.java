package io.tidemark.kubernetes.events;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.tidemark.cluster.EventWording;
import io.tidemark.cluster.ObjectEvents;
import io.tidemark.error.CoreError;
import io.tidemark.error.ErrorCode;
import io.tidemark.kubernetes.ApiFailure;
import io.tidemark.kubernetes.LogRecord;
import io.tidemark.spi.BlockedReason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("What a person must mend, as Kubernetes Events")
class ClusterEventsTest {
  private static final Duration MOMENT = Duration.ofSeconds(1);

  private final EventWorld world = new EventWorld();
  @RegisterExtension private final LogRecord log = new LogRecord();

  @Test
  @DisplayName("a problem is a warning with code, detail and remedy; solved, it turns normal")
  void openAndMended() {
    world.report("n1", BlockedReason.SUBNET_EXHAUSTED, "subnet-1 is full");
    world.run(MOMENT);
    assertThat(world.shown()).containsExactly("SubnetExhausted warning 1");
    assertThat(world.server.values().iterator().next().message())
        .isEqualTo("TM-1203 subnet-1 is full. " + BlockedReason.SUBNET_EXHAUSTED.remedy());
    world.cleared("n1", BlockedReason.SUBNET_EXHAUSTED);
    world.run(MOMENT);
    assertThat(world.shown()).containsExactly("SubnetExhausted normal 1");
    assertThat(world.requests).containsExactly("create n1", "patch n1");
  }

  @Test
  @DisplayName("a Node and the CiliumNode of its name have Events of their own")
  void onNode() {
    world.report("n1", BlockedReason.NO_SUBNET, "none");
    ObjectEvents nodes =
        world.events.onNodes(name -> Optional.of("uid-of-node"), EventWording.USUAL);
    nodes.report("n1", BlockedReason.NO_SUBNET, "none");
    world.run(MOMENT);
    assertThat(world.shown()).containsExactly("NoSubnet warning 1", "NoSubnet warning 1");
    nodes.cleared("n1", BlockedReason.NO_SUBNET);
    world.run(MOMENT);
    assertThat(world.shown()).containsExactly("NoSubnet normal 1", "NoSubnet warning 1");
    assertThat(EventSubject.node("n1", "u").eventNamespace()).isEqualTo("default");
  }

  /** As the allocator of kube-controller-manager words its Events. */
  private static final EventWording REFERENCE =
      new EventWording() {
        @Override
        public String component() {
          return "cidrAllocator";
        }

        @Override
        public String reason(ErrorCode code) {
          return "CIDRNotAvailable";
        }

        @Override
        public String open(String object, ErrorCode code, String detail) {
          return "Node " + object + " status is now: CIDRNotAvailable; " + detail;
        }
      };

  @Test
  @DisplayName("who replaces another program keeps its reasons, component and text")
  void wording() {
    ObjectEvents nodes = world.events.onNodes(name -> Optional.of("uid-of-node"), REFERENCE);
    nodes.report("n1", BlockedReason.NO_SUBNET, "none");
    world.run(MOMENT);
    assertThat(world.shown()).containsExactly("CIDRNotAvailable warning 1");
    assertThat(world.server.values().iterator().next().message())
        .isEqualTo("Node n1 status is now: CIDRNotAvailable; none");
    assertThat(world.components).containsExactly("cidrAllocator");
    world.report("n1", BlockedReason.NO_SUBNET, "none");
    world.run(MOMENT);
    assertThat(world.components).containsExactly("cidrAllocator", "tidemark-operator");
  }

  @Test
  @DisplayName("two problems of one reason are two Events, and each is solved alone")
  void sameReason() {
    ObjectEvents nodes = world.events.onNodes(name -> Optional.of("uid-of-node"), REFERENCE);
    nodes.report("n1", BlockedReason.NO_SUBNET, "none");
    nodes.report("n1", BlockedReason.SUBNET_EXHAUSTED, "full");
    world.run(MOMENT);
    nodes.cleared("n1", BlockedReason.NO_SUBNET);
    world.run(MOMENT);
    assertThat(world.shown())
        .containsExactlyInAnyOrder("CIDRNotAvailable normal 1", "CIDRNotAvailable warning 1");
  }

  @Test
  @DisplayName("what concerns the whole operator is told on its lease")
  void onLease() {
    world
        .events
        .onLease("kube-system", "tidemark-operator", () -> Optional.of("u-1"))
        .report(CoreError.CLUSTER_UNNAMED, "nobody knows it");
    world.run(MOMENT);
    assertThat(world.requests).containsExactly("create tidemark-operator");
    assertThat(EventSubject.lease("kube-system", "l", "u-1").eventNamespace())
        .isEqualTo("kube-system");
    assertThat(world.server.values().iterator().next().message())
        .isEqualTo("TM-1026 nobody knows it. " + CoreError.CLUSTER_UNNAMED.remedy());
    assertThat(world.shown()).containsExactly("ClusterUnnamed warning 1");
  }

  @Test
  @DisplayName("met again it is the same Event, counted up; reasons and nodes are apart")
  void again() {
    for (int i = 0; i < 3; i++) {
      world.report("n1", BlockedReason.SUBNET_EXHAUSTED, "full");
      world.run(Duration.ofMinutes(3));
      world.cleared("n1", BlockedReason.SUBNET_EXHAUSTED);
      world.run(Duration.ofMinutes(3));
    }
    world.report("n1", BlockedReason.CLOUD_REFUSED, "no right");
    world.report("n2", BlockedReason.CLOUD_REFUSED, "no right");
    world.run(MOMENT);
    assertThat(world.shown())
        .containsExactly(
            "CloudRefused warning 1", "CloudRefused warning 1", "SubnetExhausted normal 3");
  }

  @Test
  @DisplayName("what is solved before it was told is not told")
  void shortLived() {
    world.refusal = new ApiFailure(ApiFailure.Kind.BUSY, "later");
    world.report("n0", BlockedReason.NO_SUBNET, "none");
    world.run(Duration.ofMillis(500));
    world.report("n1", BlockedReason.NO_SUBNET, "none");
    world.cleared("n1", BlockedReason.NO_SUBNET);
    world.refusal = null;
    world.run(Duration.ofMinutes(1));
    assertThat(world.requests).containsExactly("create n0", "create n0");
  }

  @Test
  @DisplayName("of one node six requests at once, then one in two minutes; nothing is lost")
  void pace() {
    world.report("n1", BlockedReason.NO_SUBNET, "0");
    for (int i = 1; i <= 100; i++) {
      world.run(Duration.ofSeconds(1));
      world.report("n1", BlockedReason.NO_SUBNET, String.valueOf(i));
    }
    assertThat(world.requests).hasSize(6);
    world.report("n2", BlockedReason.NO_SUBNET, "another node does not wait");
    world.run(MOMENT);
    assertThat(world.requests).hasSize(7).endsWith("create n2");
    world.run(Duration.ofMinutes(3));
    assertThat(world.shown()).contains("NoSubnet warning 101");
  }

  @Test
  @DisplayName("over any span a node's requests keep burst and pace (seeded)")
  void bound() {
    for (long seed = 1; seed <= 30; seed++) {
      EventWorld each = new EventWorld();
      Random random = new Random(seed);
      BlockedReason[] reasons = {
        BlockedReason.NO_SUBNET, BlockedReason.CLOUD_REFUSED, BlockedReason.SECOND_OWNER
      };
      for (int i = 0; i < 300; i++) {
        BlockedReason reason = reasons[random.nextInt(reasons.length)];
        if (random.nextBoolean()) {
          each.report("n1", reason, "detail " + i);
        } else {
          each.cleared("n1", reason);
        }
        each.run(Duration.ofMillis(random.nextInt(40_000)));
      }
      each.run(Duration.ofMinutes(10));
      List<Long> at = each.requestNanos;
      for (int from = 0; from < at.size(); from++) {
        for (int to = from; to < at.size(); to++) {
          long span = at.get(to) - at.get(from);
          assertThat((long) to - from + 1)
              .as("seed %s, requests %s to %s", seed, from, to)
              .isLessThanOrEqualTo(EventBook.BURST + span / EventBook.PACE.toNanos() + 1);
        }
      }
    }
  }

  @Test
  @DisplayName("while it lasts it is shown again before the server forgets it")
  void lasts() {
    world.report("n1", BlockedReason.SECOND_OWNER, "another writes");
    for (int i = 0; i < 24; i++) {
      world.run(Duration.ofHours(1));
      long age = world.time.nanos() - world.server.values().iterator().next().atNanos();
      assertThat(age).isLessThan(Duration.ofHours(1).toNanos());
    }
    assertThat(world.requests.size()).isLessThanOrEqualTo(33);
    assertThat(world.server.values().iterator().next().count()).isEqualTo(world.requests.size());
  }

  @Test
  @DisplayName("one that the server forgot all the same is made again")
  void forgotten() {
    world.report("n1", BlockedReason.NO_SUBNET, "none");
    world.run(MOMENT);
    world.server.clear();
    world.report("n1", BlockedReason.NO_SUBNET, "none");
    world.run(MOMENT);
    assertThat(world.requests).containsExactly("create n1", "patch n1", "create n1");
    assertThat(world.shown()).containsExactly("NoSubnet warning 1");
  }

  @Test
  @DisplayName("a process that starts anew goes on with the Event of its predecessor")
  void restart() {
    world.report("n1", BlockedReason.NO_SUBNET, "none");
    world.run(MOMENT);
    world.report("n1", BlockedReason.NO_SUBNET, "none");
    world.run(MOMENT);
    world.events.close();
    world.events = world.process();
    world.report("n1", BlockedReason.NO_SUBNET, "still none");
    world.run(MOMENT);
    assertThat(world.shown()).containsExactly("NoSubnet warning 2");
    world.report("n1", BlockedReason.NO_SUBNET, "still none");
    world.run(MOMENT);
    assertThat(world.shown()).containsExactly("NoSubnet warning 3");
  }

  @Test
  @DisplayName("a new incarnation has Events of its own; what is gone is not mentioned")
  void incarnations() {
    world.report("n1", BlockedReason.NO_SUBNET, "none");
    world.run(MOMENT);
    world.uids.remove("n1");
    world.cleared("n1", BlockedReason.NO_SUBNET);
    world.run(MOMENT);
    world.uids.put("n1", "another");
    world.report("n1", BlockedReason.NO_SUBNET, "none");
    world.run(MOMENT);
    assertThat(world.requests).containsExactly("create n1", "create n1");
    assertThat(world.server).hasSize(2);
  }

  @Test
  @DisplayName("a missing right is said once with verb and resource, and tried every five minutes")
  void forbidden() {
    world.refusal =
        new ApiFailure(
            ApiFailure.Kind.FORBIDDEN, "cannot create resource \"events\". Grant it to the role.");
    for (int i = 0; i < 50; i++) {
      world.report("n" + i, BlockedReason.NO_SUBNET, "none");
    }
    world.run(Duration.ofMinutes(30).minus(MOMENT));
    assertThat(world.requests).hasSize(6);
    assertThat(log.messages(Level.WARN))
        .singleElement()
        .asString()
        .contains("cannot create resource \"events\"");
    world.refusal = null;
    world.run(Duration.ofMinutes(5));
    assertThat(world.server).hasSize(50);
  }

  @Test
  @DisplayName("while the server is away requests grow rarer; then everything is told")
  void away() {
    world.refusal = new ApiFailure(ApiFailure.Kind.UNKNOWN, "connection refused");
    for (int i = 0; i < 50; i++) {
      world.report("n" + i, BlockedReason.NO_SUBNET, "none");
    }
    world.run(Duration.ofMinutes(10));
    assertThat(world.requests.size()).isBetween(12, 18);
    world.refusal = null;
    world.run(Duration.ofMinutes(3));
    assertThat(world.server).hasSize(50);
    assertThat(log.messages(Level.WARN)).hasSize(1);
  }

  @Test
  @DisplayName("a text that the server refuses is not sent again until there is another")
  void refusedText() {
    world.refusal = new ApiFailure(ApiFailure.Kind.INVALID, "message: too long");
    world.report("n1", BlockedReason.NO_SUBNET, "bad");
    world.report("n2", BlockedReason.NO_SUBNET, "bad");
    world.run(Duration.ofMinutes(10));
    assertThat(world.requests).containsExactly("create n1", "create n2");
    world.refusal = null;
    world.report("n1", BlockedReason.NO_SUBNET, "good");
    world.run(MOMENT);
    assertThat(world.shown()).containsExactly("NoSubnet warning 1");
  }

  @Test
  @DisplayName(
      "what is kept is bounded: solved ones make room, what is new is dropped and said once")
  void full() {
    for (int i = 0; i < EventWorld.PROBLEMS_MAX; i++) {
      world.report("n" + i, BlockedReason.NO_SUBNET, "none");
    }
    world.run(Duration.ofMinutes(1));
    for (int i = 0; i < 10; i++) {
      world.report("m" + i, BlockedReason.NO_SUBNET, "none");
    }
    world.run(MOMENT);
    assertThat(world.server).hasSize(EventWorld.PROBLEMS_MAX);
    assertThat(log.messages(Level.WARN)).singleElement().asString().contains("dropped");
    world.cleared("n5", BlockedReason.NO_SUBNET);
    world.run(MOMENT);
    world.report("m1", BlockedReason.NO_SUBNET, "none");
    world.run(MOMENT);
    assertThat(world.requests)
        .filteredOn(each -> each.startsWith("create m"))
        .containsExactly("create m1");
  }

  @Test
  @DisplayName("after the end nothing is sent")
  void closed() {
    world.report("n1", BlockedReason.NO_SUBNET, "none");
    world.events.close();
    world.run(Duration.ofHours(2));
    world.report("n2", BlockedReason.NO_SUBNET, "none");
    world.run(Duration.ofHours(2));
    assertThat(world.requests.size()).isLessThanOrEqualTo(1);
  }
}
