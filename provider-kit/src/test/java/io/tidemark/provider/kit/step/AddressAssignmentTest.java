package io.tidemark.provider.kit.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.kit.Held;
import io.tidemark.provider.kit.Known;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.provider.kit.pool.Rung;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.AttachedInterface;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Adding addresses to an attached interface, rung by rung")
class AddressAssignmentTest {
  private static final AddressSet ADDRESSES = AddressSet.ofRange(Cidr.parse("10.0.0.0/24"));
  private static final Cidr BLOCK = Cidr.parse("10.1.0.0/28");

  private final Held eni = Held.empty("eni-1");
  private final Known known = new Known(eni);
  private final List<String> asked = new ArrayList<>();

  private Pool<String> pool() {
    return known.account.pools().find(Known.POOL).orElseThrow();
  }

  private static List<String> words(String text) {
    return text.isEmpty() ? List.of() : Arrays.asList(text.split(" ", -1));
  }

  private static int blocks(String text) {
    return Integer.parseInt(text.substring(text.indexOf('+') + 1));
  }

  private static int singles(String text) {
    return Integer.parseInt(text.substring(0, text.indexOf('+')));
  }

  private CallResult<AttachedInterface> answer(String text) {
    return switch (text) {
      case "full" -> failed(Failure.Kind.CAPACITY, text);
      case "slow" -> failed(Failure.Kind.THROTTLED, text);
      case "lost" -> failed(Failure.Kind.LOST, text);
      default ->
          new CallResult.Answered<>(
              new AttachedInterface(
                  eni.id(),
                  ADDRESSES.first(singles(text)),
                  List.of(BLOCK).subList(0, blocks(text))));
    };
  }

  private static CallResult<AttachedInterface> failed(Failure.Kind kind, String condition) {
    return new CallResult.Failed<>(Failure.of(kind, condition, "detail"));
  }

  private AllocationOutcome run(List<Rung<String>> ladder, Deque<String> answers) {
    return new AddressAssignment<Held, String>(
            known.account,
            rung -> {
              asked.add(rung.singles() + "+" + rung.blocks());
              return CompletableFuture.completedStage(answer(answers.remove()));
            })
        .run(Known.INSTANCE, eni, ladder, known.context())
        .toCompletableFuture()
        .join();
  }

  private static String text(AllocationOutcome outcome) {
    String name = outcome.getClass().getSimpleName();
    return outcome instanceof AllocationOutcome.Allocated allocated
        ? name + " " + allocated.addresses()
        : name;
  }

  @DisplayName("what came, or may have come, is in the inventory and in the pool's account")
  @ParameterizedTest(name = "singles and blocks {0}, answered {1}: {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # ladder | answers | outcome | asked | in the inventory | free | the pool may have
          3+0     | 3+0      | Allocated 3   | 3+0     | 3 | 97  | blocks and addresses
          0+1 2+0 | full 2+0 | Allocated 2   | 0+1 2+0 | 2 | 98  | addresses
          2+0     | full     | PoolExhausted | 2+0     | 0 | 0   | nothing
          0+1 2+0 | slow     | Refused       | 0+1     | 0 | 100 | blocks and addresses
          2+0     | lost     | Unknown       | 2+0     | 0 | 98  | blocks and addresses
          2+0     | 0+0      | Refused       | 2+0     | 0 | 100 | blocks and addresses
          ''      | ''       | Refused       | ''      | 0 | 100 | blocks and addresses
          0+1     | 0+1      | Allocated 16  | 0+1     | 1 | 84  | blocks and addresses
          """)
  void assigns(
      String ladder,
      String answers,
      String outcome,
      String requests,
      int inInventory,
      int free,
      String mayHave) {
    List<Rung<String>> rungs =
        words(ladder).stream()
            .map(each -> new Rung<>(pool(), blocks(each), singles(each), each))
            .toList();
    AllocationOutcome got = run(rungs, new ArrayDeque<>(words(answers)));
    assertThat(text(got)).isEqualTo(outcome);
    assertThat(asked).isEqualTo(words(requests));
    assertThat(known.view().find(eni.id()).orElseThrow().slotsTaken()).isEqualTo(inInventory);
    assertThat(known.view().doubtful()).isEqualTo(got instanceof AllocationOutcome.Unknown);
    assertThat(pool().free()).isEqualTo(free);
    assertThat(pool().mayHaveBlocks()).isEqualTo(mayHave.startsWith("blocks"));
    assertThat(pool().mayHaveAddresses()).isEqualTo(mayHave.endsWith("addresses"));
  }
}
