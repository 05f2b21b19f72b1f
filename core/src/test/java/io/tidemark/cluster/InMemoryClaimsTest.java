package io.tidemark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.InMemoryClaims.Interference;
import io.tidemark.resource.InMemoryNodeResourceStore.DeliveryDelay;
import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.time.Effect;
import io.tidemark.time.EffectFate;
import io.tidemark.time.EffectSite;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Claims in memory (node-id 19.1 AM3)")
class InMemoryClaimsTest extends ClaimStoreContract {
  private static final long SECOND = 1_000_000_000L;
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final VirtualTime time = new VirtualTime(0);
  private final InMemoryClaims server = new InMemoryClaims();

  @Override
  protected World world() {
    ClaimStore store = server.client(time);
    ClaimStore other = server.client(time);
    return new World() {
      @Override
      public ClaimStore store() {
        return store;
      }

      @Override
      public ClaimStore other() {
        return other;
      }

      @Override
      public void eventually(String what, BooleanSupplier holds) {
        time.runUntilIdle(time.nanos() + SECOND);
        assertThat(holds.getAsBoolean()).as(what).isTrue();
      }
    };
  }

  @Override
  protected boolean isThreadSafe() {
    return false;
  }

  private Effect<ClaimChange> create(ClaimStore store, EffectFate fate) {
    return time.effects((site, timeout) -> fate)
        .run(
            new EffectSite("createClaim", "n1"),
            TIMEOUT,
            () -> store.create("node-id-1", "n1", "u-1"));
  }

  @Test
  @DisplayName("a creation whose answer is lost has taken effect; the same again finds it there")
  void lost() {
    ClaimStore store = server.client(time);
    Effect<ClaimChange> lost = create(store, EffectFate.answerLost(Duration.ofSeconds(1)));
    time.runUntil(10 * SECOND);
    assertThat(lost.stage().toCompletableFuture()).isCompletedExceptionally();
    assertThat(server.all())
        .singleElement()
        .matches(claim -> claim.isHeldBy("n1", "u-1"), "held by n1");
    assertThat(store.create("node-id-1", "n1", "u-1")).isEqualTo(new ClaimChange.Exists());
  }

  @Test
  @DisplayName("a creation that is late takes effect after its caller gave up")
  void late() {
    ClaimStore store = server.client(time);
    Effect<ClaimChange> late =
        create(store, EffectFate.answered(Duration.ofSeconds(60), Duration.ZERO));
    time.runUntil(10 * SECOND);
    assertThat(late.stage().toCompletableFuture()).isCompletedExceptionally();
    assertThat(server.all()).isEmpty();
    time.runUntil(61 * SECOND);
    assertThat(server.all()).hasSize(1);
  }

  @Test
  @DisplayName("requests are intercepted one by one; people make and remove claims")
  void intercepted() {
    ClaimChange.Refused refused = new ClaimChange.Refused("not allowed");
    Interference all = (request, name) -> Optional.of(refused);
    ClaimStore store = server.client(time, DeliveryDelay.NONE, all);
    assertThat(store.create("node-id-1", "n1", "u-1")).isEqualTo(refused);
    assertThat(store.get("node-id-1")).isInstanceOf(ClaimStore.Reading.Failed.class);
    assertThat(server.all()).isEmpty();
    assertThat(server.put("node-id-1", "n1", "u-1")).isIn(server.all());
    assertThat(server.remove("node-id-1")).isTrue();
    assertThat(server.remove("node-id-1")).isFalse();
  }

  @Test
  @DisplayName("a watch that lags does not bring back a claim that was deleted meanwhile")
  void lag() {
    ClaimStore store = server.client(time, () -> 5 * SECOND, Interference.NONE);
    Told told = new Told();
    Watch watch = store.watch(told);
    Claim made = server.put("node-id-1", "n1", "u-1");
    assertThat(store.delete(made)).isEqualTo(new ClaimChange.Gone());
    time.runUntil(20 * SECOND);
    assertThat(told.log()).containsExactly("synced", "deleted node-id-1");
    assertThat(store.names()).isEmpty();
    watch.close();
  }
}
