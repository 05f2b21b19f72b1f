package io.tidemark.provider.kit.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.kit.Held;
import io.tidemark.provider.kit.Known;
import io.tidemark.resilience.CallResult;
import io.tidemark.spi.InterfaceId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Bringing a property of interfaces to what the node wants")
class InterfaceRepairTest {
  private final Known known = new Known(Held.empty("eni-0"), Held.empty("eni-1").asMarked());
  private final InterfaceRepair<Held> repair = new InterfaceRepair<>(known.account);
  private final List<String> asked = new ArrayList<>();
  private CompletableFuture<CallResult<InterfaceId>> answer = new CompletableFuture<>();

  private static boolean isUnmarked(Held each) {
    return !each.marked();
  }

  private void check() {
    repair.check(
        Known.INSTANCE,
        "node1",
        InterfaceRepairTest::isUnmarked,
        Held::asMarked,
        (each, context) -> {
          asked.add(each.id().text());
          return answer;
        });
  }

  private long unmarked() {
    return known.view().interfaces().stream().filter(InterfaceRepairTest::isUnmarked).count();
  }

  @Test
  @DisplayName("one request for each that is wrong, whose success is in the inventory")
  void repaired() {
    check();
    assertThat(asked).containsExactly("eni-0");
    assertThat(unmarked()).isEqualTo(1);
    answer.complete(new CallResult.Answered<>(new InterfaceId("eni-0")));
    assertThat(unmarked()).isZero();
    check();
    assertThat(asked).hasSize(1);
  }

  @Test
  @DisplayName("none twice at the same time, and once more after a failure")
  void again() {
    check();
    check();
    assertThat(asked).hasSize(1);
    answer.complete(new CallResult.Failed<>(Known.FULL));
    assertThat(unmarked()).isEqualTo(1);
    answer = new CompletableFuture<>();
    check();
    assertThat(asked).containsExactly("eni-0", "eni-0");
  }
}
