package io.tidemark.datastore.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.MutantLoader;
import io.tidemark.testing.MutantLoader.Edit;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("long")
@DisplayName("Faults that are planted in the loop")
class PlantedFaultsTest {
  private static final int SEEDS = 200;

  /** Each with the seed that is tried first, which found it before. */
  static Stream<Arguments> planted() {
    return Stream.of(
        fault(
            6,
            "no answer is thought to lag behind",
            "ReadLagHistory",
            "LAG_MAX = Duration.ofSeconds(30);",
            "LAG_MAX = Duration.ofSeconds(0);"),
        fault(
            2_361,
            "what goes back is not noted in the file",
            "PoolShrink",
            "noted(decrease, parts);",
            "request(decrease, parts);"),
        fault(
            7,
            "what the cloud has back stays reserved",
            "PoolShrink",
            "decrease.ticket.commit(decrease.gone);",
            ""),
        fault(
            150,
            "what was given back is taken up from an answer that lags behind",
            "ReadLagHistory",
            "return at == null || asked - at > GONE_FOR.toNanos();",
            "return true;"),
        fault(
            4,
            "one answer is enough to take an address from a pod",
            "ReadLagHistory",
            "return since != null && asked - since >= LAG_MAX.toNanos();",
            "return true;"),
        fault(
            2,
            "an answer without the primary interface is believed",
            "PoolReconciler",
            "return enis.stream().anyMatch(eni -> eni.spec().primary());",
            "return true;"),
        fault(
            1,
            "two changes are under way",
            "PoolReconciler",
            "boolean idle = !growth.isUnderWay() && !shrink.isUnderWay();",
            "boolean idle = true;"),
        fault(
            2,
            "the cloud is asked again at once when the subnet is full",
            "PoolGrowth",
            "notBefore = time.nanos() + SUBNET_PAUSE.toNanos();",
            ""),
        fault(
            11,
            "requests that found no address are not counted",
            "PoolGrowth",
            "demand += (int) Math.min(1_000, all - notServed);",
            ""),
        fault(
            7,
            "the node counts as one that cannot grow",
            "PoolReconciler",
            "first.store.growable(canGrow);",
            "first.store.growable(false);"),
        fault(
            6,
            "interfaces of others are used",
            "CloudComparison",
            "if (eni.managed()) {",
            "if (true) {"),
        fault(
            3,
            "the store keeps what an answer lacks",
            "CardInventory",
            "changes += remove(part, Removal.UNUSED_ONLY);",
            ""),
        fault(
            1,
            "what is new in the cloud is not taken up",
            "CardInventory",
            "changes += add(each.eniId(), each.cidr().kind(), List.of(each.cidr().cidr()));",
            ""));
  }

  private static Arguments fault(long seed, String name, String type, String from, String to) {
    return Arguments.of(name, seed, new Edit("io.tidemark.datastore.cloud." + type, from, to));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("planted")
  @DisplayName("are found by random runs")
  @SuppressWarnings("unchecked")
  void found(String name, long first, Edit edit) throws ReflectiveOperationException {
    ClassLoader loader =
        new MutantLoader(List.of(edit), type -> type.startsWith("io.tidemark.datastore."));
    LongFunction<String> probe =
        (LongFunction<String>)
            loader.loadClass(RandomPool.Probe.class.getName()).getConstructor().newInstance();
    String violation = "";
    for (long seed = first; violation.isEmpty() && seed < first + SEEDS; seed++) {
      violation = probe.apply(seed);
    }
    assertThat(violation).as("%s seeds from %s", SEEDS, first).isNotEmpty();
  }
}
