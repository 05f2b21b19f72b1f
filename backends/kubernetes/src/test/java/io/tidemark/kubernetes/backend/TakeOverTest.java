package io.tidemark.kubernetes.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.resource.CatchUp;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.StoreResult;
import io.tidemark.time.EffectFate;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Between the lease and the work")
class TakeOverTest {
  private static final Duration ANSWER = Duration.ofMillis(100);

  private final VirtualTime time = new VirtualTime(1_700_000_000_000L);
  private final Reads reads = new Reads();
  private final List<String> begun = new ArrayList<>();
  private boolean held = true;
  private final TakeOver takeOver =
      new TakeOver(
          reads::catchUp,
          time.effects((site, timeout) -> EffectFate.answered(ANSWER, Duration.ZERO)),
          time,
          () -> held);

  /** A store that is read anew with results that the test gives. */
  private static final class Reads implements NodeResourceStore {
    private int attempts;
    private CatchUp result = new CatchUp.Done();

    @Override
    public CompletionStage<CatchUp> catchUp(EffectRunner effects) {
      attempts++;
      return effects.run(new EffectSite("list", ""), Duration.ofSeconds(30), () -> result).stage();
    }

    @Override
    public Optional<NodeResource> latest(String name) {
      return Optional.empty();
    }

    @Override
    public List<String> names() {
      return List.of();
    }

    @Override
    public StoreResult get(String name) {
      return new StoreResult.NotFound();
    }

    @Override
    public StoreResult create(NodeResource resource) {
      return new StoreResult.NotFound();
    }

    @Override
    public StoreResult update(NodeResource original, NodeResource changed) {
      return new StoreResult.NotFound();
    }

    @Override
    public StoreResult updateStatus(NodeResource original, NodeResource changed) {
      return new StoreResult.NotFound();
    }

    @Override
    public Watch watch(Watcher watcher) {
      return () -> {};
    }
  }

  private void won() {
    takeOver.begin().thenRun(() -> begun.add("begun"));
  }

  private void run(Duration span) {
    time.runUntil(time.nanos() + span.toNanos());
  }

  @Test
  @DisplayName(
      "D-22 nothing begins before the nodes were read anew, and it is said what is waited for")
  void waits() {
    assertThat(takeOver.waitsFor()).as("a standby").isEmpty();
    won();
    assertThat(begun).isEmpty();
    assertThat(takeOver.waitsFor().orElseThrow()).contains("being listed before");
    run(ANSWER);
    assertThat(begun).containsExactly("begun");
    assertThat(takeOver.waitsFor()).isEmpty();
    assertThat(reads.attempts).isEqualTo(1);
  }

  @Test
  @DisplayName("D-22 a read that failed is made again with growing pauses, and the cause is said")
  void failed() {
    reads.result = new CatchUp.Failed("etcd is away");
    won();
    run(Duration.ofSeconds(60));
    assertThat(begun).isEmpty();
    assertThat(takeOver.waitsFor().orElseThrow()).contains("etcd is away");
    assertThat(reads.attempts).isBetween(12, 18);
    reads.result = new CatchUp.Done();
    run(Duration.ofSeconds(6));
    assertThat(begun).containsExactly("begun");
  }

  @Test
  @DisplayName("D-22 nothing begins when the lease is lost meanwhile, and nothing is read any more")
  void lost() {
    reads.result = new CatchUp.Failed("etcd is away");
    won();
    run(ANSWER);
    reads.result = new CatchUp.Done();
    int before = reads.attempts;
    takeOver.end();
    run(Duration.ofSeconds(60));
    assertThat(begun).isEmpty();
    assertThat(reads.attempts).isEqualTo(before);
    assertThat(takeOver.waitsFor()).isEmpty();
  }

  @Test
  @DisplayName("D-22 nothing begins while the lease is not renewed in time, though the read worked")
  void notRenewed() {
    held = false;
    won();
    run(Duration.ofSeconds(3));
    assertThat(begun).isEmpty();
    assertThat(takeOver.waitsFor().orElseThrow()).contains("not renewed");
    held = true;
    run(Duration.ofSeconds(6));
    assertThat(begun).containsExactly("begun");
  }
}
