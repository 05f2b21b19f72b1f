package io.tidemark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.time.VirtualTime;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.DisplayName;

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
}
