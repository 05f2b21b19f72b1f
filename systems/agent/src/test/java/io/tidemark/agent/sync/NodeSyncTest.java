package io.tidemark.agent.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.IpFamily;
import io.tidemark.resource.InMemoryNodeResourceStore;
import io.tidemark.resource.InMemoryNodeResourceStore.DeliveryDelay;
import io.tidemark.resource.NodeResource;
import io.tidemark.time.EffectModel;
import io.tidemark.time.TriggerObserver;
import io.tidemark.time.VirtualProcess;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Writes of the node's object, in virtual time")
class NodeSyncTest {
  private static final String NODE = "n";
  private static final Duration RATE = Duration.ofSeconds(15);
  private static final Duration LATENCY = Duration.ofMillis(5);

  private final VirtualTime time = new VirtualTime(0);
  private final InMemoryNodeResourceStore server = new InMemoryNodeResourceStore();

  @Test
  @DisplayName("AM7 A fault in what is to be written ends no later write")
  void faultInPart() {
    FaultyPart part = new FaultyPart();
    VirtualProcess process = time.process("agent");
    NodeSync sync =
        new NodeSync(
            new NodeSync.Settings(
                NODE,
                Set.of(IpFamily.IPV4),
                RATE,
                Duration.ofSeconds(30),
                Optional.empty(),
                TriggerObserver.NONE),
            server.client(NODE, process, DeliveryDelay.NONE, (operation, name) -> Optional.empty()),
            process.effects(EffectModel.reliable(LATENCY, LATENCY)),
            process,
            process,
            part);
    sync.start();
    server.create(NodeResource.named(NODE));
    sync.restoreFinished(IpFamily.IPV4);
    pass(RATE.multipliedBy(2));
    assertThat(part.faults).isGreaterThan(1);
    assertThat(preAllocate()).isZero();
    part.faulty = false;
    pass(RATE.multipliedBy(2));
    assertThat(preAllocate()).isEqualTo(7);
  }

  private int preAllocate() {
    return server.find(NODE).orElseThrow().ipam().preAllocate();
  }

  private void pass(Duration duration) {
    time.runUntil(time.nanos() + duration.toNanos());
  }

  /** Asks for 7 spare addresses, when it does not throw. */
  private static final class FaultyPart implements NodePart {
    boolean faulty = true;
    int faults;

    @Override
    public NodeResource applied(NodeResource base) {
      if (faulty) {
        faults++;
        throw new IllegalStateException("planted");
      }
      return base.withPreAllocate(7);
    }

    @Override
    public Half half() {
      return Half.SPEC;
    }

    @Override
    public boolean isOurs(NodeResource resource) {
      return true;
    }

    @Override
    public void restored() {}

    @Override
    public void gone() {}

    @Override
    public OptionalLong nextLookNanos() {
      return OptionalLong.empty();
    }
  }
}
