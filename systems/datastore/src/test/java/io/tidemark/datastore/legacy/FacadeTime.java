package io.tidemark.datastore.legacy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.AssignOutcome;
import io.tidemark.datastore.StoreRefusal;
import io.tidemark.datastore.StoreReleaseOutcome;
import io.tidemark.datastore.checkpoint.IpamKey;
import io.tidemark.time.EffectModel;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Virtual time in which writes end, and what facades answer in one line. */
final class FacadeTime {
  final VirtualTime time = new VirtualTime(0);
  final EffectRunner effects =
      time.effects(EffectModel.reliable(Duration.ofMillis(1), Duration.ZERO));

  <T> T ended(CompletionStage<T> stage) {
    CompletableFuture<T> future = stage.toCompletableFuture();
    pass(Duration.ofMillis(100));
    assertThat(future).isCompleted();
    return future.getNow(null);
  }

  void pass(Duration duration) {
    time.runUntil(time.nanos() + duration.toNanos());
  }

  /** The address, or the text of the refusal. */
  String assigned(CompletionStage<AssignOutcome> stage) {
    AssignOutcome outcome = ended(stage);
    if (outcome instanceof AssignOutcome.Granted granted) {
      return granted.assignment().address().toString();
    }
    return outcome instanceof AssignOutcome.NoAddress none
        ? none.refusal().text()
        : ((AssignOutcome.Refused) outcome).refusal().text();
  }

  /** The addresses, or the text of the refusal. */
  String released(CompletionStage<StoreReleaseOutcome> stage) {
    StoreReleaseOutcome outcome = ended(stage);
    if (outcome instanceof StoreReleaseOutcome.Released released) {
      return released.assignments().get(0).address().toString();
    }
    return outcome instanceof StoreReleaseOutcome.Unknown unknown
        ? unknown.refusal().text()
        : ((StoreReleaseOutcome.Refused) outcome).refusal().text();
  }

  static String text(Optional<StoreRefusal> refusal) {
    return refusal.map(StoreRefusal::text).orElse("");
  }

  static IpamKey key(String container) {
    return new IpamKey("net0", container, "eth0");
  }
}
