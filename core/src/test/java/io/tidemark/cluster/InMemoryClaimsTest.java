package io.tidemark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.InMemoryClaims.Interference;
import io.tidemark.resource.InMemoryNodeResourceStore.DeliveryDelay;
import io.tidemark.time.VirtualTime;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Claims in memory (node-id 19.1 AM3)")
class InMemoryClaimsTest extends ClaimStoreContract {
  private static final long SECOND = 1_000_000_000L;

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
}
