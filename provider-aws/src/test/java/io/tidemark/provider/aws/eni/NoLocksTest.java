package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.node.LockCheck;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resource.IpamSpec;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeOperations;
import io.tidemark.testing.Hang;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Nothing is locked while others are called (provider-aws 4.5)")
class NoLocksTest {
  @Test
  @DisplayName("AWS-28 while a node asks others for its numbers, anybody can write and read it")
  void lockOrder() throws InterruptedException {
    Meddler meddler = new Meddler();
    EniWorld world = EniWorld.asking(meddler);
    NodeOperations node = world.node("node1");
    NodeResource resource = world.resource("node1");
    meddler.meddle = Optional.of(() -> write(world, node, resource));
    assertThat(node.inventory()).isInstanceOf(Inventory.Known.class);
    assertThat(node.withProviderStatus(resource).eniStatus()).isPresent();
    assertThat(node.prepareIpAllocation().blocked()).isEmpty();
    assertThat(node.maximumAllocatableIpv4()).hasValue(27);
    assertThat(meddler.asked.get()).as("questions while which others wrote").isPositive();
    assertThat(meddler.stuck).isEmpty();
  }

  private static void write(EniWorld world, NodeOperations node, NodeResource resource) {
    node.updatedNode(resource);
    node.withProviderStatus(resource);
    world.provider.poolQuota();
  }

  /** Limits during whose answer another thread writes the node that asks. */
  private static final class Meddler implements Door {
    private final AtomicInteger asked = new AtomicInteger();
    private final Queue<String> stuck = new ConcurrentLinkedQueue<>();
    private Optional<Runnable> meddle = Optional.empty();

    @Override
    public void asked(String what) {
      if (meddle.isEmpty()) {
        return;
      }
      Runnable other = meddle.get();
      meddle = Optional.empty(); // it asks, too
      asked.incrementAndGet();
      CompletableFuture<Void> written =
          CompletableFuture.runAsync(other, task -> new Thread(task).start());
      try {
        written.get(Hang.SECONDS, TimeUnit.SECONDS);
        meddle = Optional.of(other);
      } catch (ExecutionException | TimeoutException e) {
        stuck.add(what + ": " + e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        stuck.add("interrupted");
      }
    }
  }

  /** Looks once at each way that leads out: the same frames hold the same locks. */
  private static Door eachWay(LockCheck check) {
    Set<String> seen = new HashSet<>();
    return where -> {
      String way =
          StackWalker.getInstance()
              .walk(frames -> frames.map(Object::toString).collect(Collectors.joining("\n")));
      if (seen.add(way)) {
        check.leaving(where);
      }
    };
  }

  @Test
  @DisplayName("AWS-97 no request is handed over, nor sent, while a lock is held")
  void requests() {
    LockCheck check = new LockCheck(1);
    EniWorld world = EniWorld.asking(eachWay(check));
    List<String> free = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      free.add(world.ec2.publicAddress(Map.of("for", "edge")));
    }
    world.running(
        EngineConfig.defaults().releasingAfter(Duration.ofSeconds(2)),
        world.spec().groupTags(Map.of("a", "b")),
        new IpamSpec(8, 0, 0, 0, Map.of("for", "edge"), Optional.empty(), Set.of()));
    world.use("node1", 12);
    world.leftOver(Map.of(OwnerTags.TOKEN, "t"));
    world.use("node1", 1);
    for (int i = 0; i < 4; i++) {
      world.agentAnswers("node1");
    }
    world.run(Duration.ofMinutes(15));
    assertThat(world.requests)
        .as("every kind of request was there to be looked at")
        .contains(
            "CreateNetworkInterface",
            "AttachNetworkInterface",
            "ModifyNetworkInterfaceAttribute",
            "AssignPrivateIpAddresses",
            "UnassignPrivateIpAddresses",
            "DeleteNetworkInterface",
            "AssociateAddress",
            "DescribeNetworkInterfaces",
            "DescribeSubnets");
    assertThat(check.checks()).as("ways that were looked at").isGreaterThan(20);
    assertThat(check.heldOutside()).isEmpty();
    assertThat(free).hasSize(3);
  }

  @Test
  @DisplayName("AWS-97 nor in a creation whose steps fail and are undone")
  void undoing() {
    LockCheck check = new LockCheck(1);
    EniWorld world = EniWorld.asking(eachWay(check));
    NodeOperations node = world.node("node1");
    world.lose("AttachNetworkInterface", false);
    assertThat(world.create(node, 2)).isInstanceOf(AllocationOutcome.Unknown.class);
    assertThat(check.checks()).isGreaterThan(5);
    assertThat(check.heldOutside()).isEmpty();
  }
}
