package io.tidemark.provider.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.ReleaseOutcome;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Giving addresses of one interface back")
class AddressReleaseTest {
  private static final InstanceId ID = new InstanceId("i-1");
  private static final InterfaceId ENI = new InterfaceId("eni-0");
  private static final Cidr BLOCK = Cidr.parse("10.1.0.0/28");
  private static final Failure LOST = Failure.of(Failure.Kind.LOST, "lost", "");
  private static final Failure SLOW = Failure.of(Failure.Kind.THROTTLED, "slow", "");

  private final InstanceInventory<Held> inventory =
      new InstanceInventory<>(new VirtualTime(0), Duration.ofMinutes(2), Duration.ofMinutes(1));
  private final Held eight = Held.holding(ENI, 8);
  private final List<String> requests = new ArrayList<>();
  private final List<Integer> freed = new ArrayList<>();
  private final Deque<CallResult<InterfaceId>> answers = new ArrayDeque<>();

  private ReleaseOutcome release(int singles, Cidr... blocks) {
    return release(false, singles, blocks);
  }

  private ReleaseOutcome release(boolean together, int singles, Cidr... blocks) {
    inventory.accept(inventory.beginRead(), ID, List.of(eight));
    ReleaseAction action =
        new ReleaseAction(
            Optional.of(ENI),
            Optional.empty(),
            eight.singles().last(singles),
            List.of(blocks),
            new CallKind("Unassign", CallKind.Effect.REPEATABLE));
    return new AddressRelease<>(
            inventory,
            ID,
            action,
            together,
            (gone, goneBlocks) -> {
              requests.add(gone.size() + " singles, " + goneBlocks.size() + " blocks");
              CallResult<InterfaceId> answer = answers.poll();
              return CompletableFuture.completedStage(
                  answer == null ? new CallResult.Answered<>(ENI) : answer);
            },
            freed::add)
        .run()
        .toCompletableFuture()
        .join();
  }

  private AddressSet known() {
    return inventory.find(ID).orElseThrow().interfaces().get(0).singles();
  }

  @Test
  @DisplayName("blocks in one request, then singles in another; what went is out of the inventory")
  void blocksThenSingles() {
    ReleaseOutcome.Released all = (ReleaseOutcome.Released) release(3, BLOCK);
    assertThat(requests).containsExactly("0 singles, 1 blocks", "3 singles, 0 blocks");
    assertThat(freed).containsExactly(16, 3);
    assertThat(all.addresses()).isEqualTo(eight.singles().last(3));
    assertThat(all.blocks()).containsExactly(BLOCK);
    assertThat(all.rest()).isEmpty();
    assertThat(all.generation()).isEqualTo(inventory.find(ID).orElseThrow().generation());
    assertThat(known()).isEqualTo(eight.singles().first(5));
  }

  @Test
  @DisplayName("blocks alone, or singles alone, are one request")
  void oneRequest() {
    release(2);
    release(0, BLOCK);
    assertThat(requests).containsExactly("2 singles, 0 blocks", "0 singles, 1 blocks");
  }

  @Test
  @DisplayName("what is refused stays: nothing at all, or the singles after the blocks went")
  void refused() {
    answers.add(new CallResult.Failed<>(SLOW));
    assertThat(release(3, BLOCK)).isEqualTo(new ReleaseOutcome.NothingReleased(SLOW));
    answers.add(new CallResult.Answered<>(ENI));
    answers.add(new CallResult.Failed<>(SLOW));
    ReleaseOutcome.Released part = (ReleaseOutcome.Released) release(3, BLOCK);
    assertThat(part.addresses().isEmpty()).isTrue();
    assertThat(part.rest()).contains(SLOW);
    assertThat(known()).isEqualTo(eight.singles());
    assertThat(freed).containsExactly(16);
  }

  @Test
  @DisplayName("a lost answer is unknown, and what may be gone is not offered")
  void lost() {
    answers.add(new CallResult.Failed<>(LOST));
    assertThat(release(3)).isEqualTo(new ReleaseOutcome.Unknown(LOST));
    assertThat(known()).isEqualTo(eight.singles().first(5));
    assertThat(freed).isEmpty();
    assertThat(inventory.covered(100)).as("until a read tells").isLessThan(100);
  }

  @Test
  @DisplayName("a lost answer after the blocks went is unknown too")
  void lostLater() {
    answers.add(new CallResult.Answered<>(ENI));
    answers.add(new CallResult.Failed<>(LOST));
    assertThat(release(3, BLOCK)).isEqualTo(new ReleaseOutcome.Unknown(LOST));
    assertThat(known()).isEqualTo(eight.singles().first(5));
  }

  @Test
  @DisplayName("blocks and singles are one request where the cloud takes them together")
  void together() {
    ReleaseOutcome.Released all = (ReleaseOutcome.Released) release(true, 3, BLOCK);
    assertThat(requests).containsExactly("3 singles, 1 blocks");
    assertThat(freed).containsExactly(19);
    assertThat(all.addresses()).isEqualTo(eight.singles().last(3));
    assertThat(all.blocks()).containsExactly(BLOCK);
    assertThat(known()).isEqualTo(eight.singles().first(5));
  }

  @Test
  @DisplayName("of one request that fails nothing went, or all of it may have")
  void togetherFailed() {
    answers.add(new CallResult.Failed<>(SLOW));
    assertThat(release(true, 3, BLOCK)).isEqualTo(new ReleaseOutcome.NothingReleased(SLOW));
    assertThat(known()).isEqualTo(eight.singles());
    answers.add(new CallResult.Failed<>(LOST));
    assertThat(release(true, 3, BLOCK)).isEqualTo(new ReleaseOutcome.Unknown(LOST));
    assertThat(known()).isEqualTo(eight.singles().first(5));
  }
}
