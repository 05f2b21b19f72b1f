package io.tidemark.it.ipamd;

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
@DisplayName("Faults that are planted between the store of a node and EC2")
class Ec2PoolMutantsTest {
  private static final int SEEDS = 200;
  private static final String PROVIDER = "io.tidemark.provider.aws.";
  private static final String CLOUD = "io.tidemark.daemon.ipamd.cloud.";
  private static final String LOOP = "io.tidemark.datastore.cloud.";

  /** Each with the seed that is tried first, which found it before. */
  static Stream<Arguments> planted() {
    return Stream.of(
        fault(
            4,
            "a lost answer counts as a refusal",
            CLOUD + "Ec2Interfaces",
            "failure.kind() == Failure.Kind.LOST",
            "false"),
        fault(
            31,
            "interfaces of others serve pods",
            CLOUD + "Ec2Interfaces",
            "each.use() != InstanceInterface.Use.OF_OTHERS",
            "true"),
        fault(
            3,
            "interfaces serve pods before the host is set up for them",
            CLOUD + "PreparedInterfaces",
            "ready ? eni : unusable(eni)",
            "eni"),
        fault(
            10,
            "the store keeps what is not for pods",
            CLOUD + "StoreFilling",
            "if (eni.managed()) {",
            "if (true) {"),
        fault(
            1,
            "an answer that lags behind is believed against what was done since",
            PROVIDER + "eni.InstanceInterfaces",
            "boolean settled =",
            "account.inventory.forget(place.instance()); boolean settled ="),
        fault(
            132,
            "what was taken away is shown until EC2 does not show it any more",
            PROVIDER + "eni.InstanceInterfaces",
            "account.inventory.wrote(place.instance(), done, change);",
            ""),
        fault(
            539,
            "addresses are taken away once more after a lost answer",
            PROVIDER + "ec2.Ec2CallLimits",
            "action(), CallKind.Effect.ONCE)",
            "action(), CallKind.Effect.REPEATABLE)"),
        fault(
            3,
            "interfaces that were created and not attached stay",
            PROVIDER + "eni.InstanceInterfaces",
            "leftovers.check();",
            ""),
        fault(
            1,
            "interfaces of others are deleted",
            PROVIDER + "eni.InstanceTags",
            "&& !OwnerTags.token(each).isEmpty()"
                + " && each.description().endsWith(described(instance))",
            ""),
        fault(
            296,
            "a mark that could not be set is not set later",
            PROVIDER + "eni.InstanceInterfaces",
            "creation.repairMarks(settled);",
            ""),
        fault(
            4,
            "what got no clear answer is assigned again",
            LOOP + "PoolShrink",
            "decrease.unsure.addAll(parts);",
            ""),
        fault(
            1,
            "a lost answer is not followed by a read",
            LOOP + "PoolGrowth",
            "reads.want(time.nanos()); failed(unknown.text(), false);",
            "failed(unknown.text(), false);"));
  }

  private static Arguments fault(long seed, String name, String type, String from, String to) {
    return Arguments.of(name, seed, new Edit(type, from, to));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("planted")
  @DisplayName("are found by random runs")
  @SuppressWarnings("unchecked")
  void found(String name, long first, Edit edit) throws ReflectiveOperationException {
    ClassLoader loader = new MutantLoader(List.of(edit), type -> type.startsWith("io.tidemark."));
    LongFunction<String> probe =
        (LongFunction<String>)
            loader.loadClass(Ec2Pool.Probe.class.getName()).getConstructor().newInstance();
    String violation = "";
    for (long seed = first; violation.isEmpty() && seed < first + SEEDS; seed++) {
      violation = probe.apply(seed);
    }
    assertThat(violation).as("%s seeds from %s", SEEDS, first).isNotEmpty();
  }
}
