package io.tidemark.it.handshake;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.MutantLoader;
import io.tidemark.testing.MutantLoader.Edit;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("long")
@DisplayName("Every state of the release handshake, with the agent that runs on nodes")
class RealAgentModelTest {
  private static final String HANDSHAKE = "io.tidemark.agent.crd.AgentReleaseHandshake";
  private static final String FREE = "sight.pool().contains(ip) && !sight.kept().test(ip)";
  private static final String WITHHELD = "case MARKED_FOR_RELEASE, READY_FOR_RELEASE -> true;";

  @ParameterizedTest(name = "A94 {0}")
  @ValueSource(strings = {"FINE", "COARSE"})
  @DisplayName("A94 The real agent is sound in every state, and answers as the model's agent does")
  void sound(String grain) {
    String found = new RealAgentSearch().apply(grain + " compared");
    System.out.println("Release handshake with the real agent, " + grain + ": " + found);
    assertThat(found).startsWith("sound: ");
  }

  static Stream<Arguments> planted() {
    return Stream.of(
        mutant(
            "it answers ready for an address of a pod",
            FREE,
            "sight.pool().contains(ip)",
            "used by a pod and released"),
        mutant(
            "it hands out an address that it promises",
            WITHHELD,
            "case MARKED_FOR_RELEASE -> false; case READY_FOR_RELEASE -> true;",
            "used by a pod and released"),
        mutant(
            "it forgets its promise when its answer is stored",
            WITHHELD,
            "case MARKED_FOR_RELEASE -> true; case READY_FOR_RELEASE -> false;",
            "not attached"),
        mutant(
            "it promises before it knows its pods",
            "return restored && !empty;",
            "return !empty;",
            "used by a pod and released"),
        mutant(
            "a released address in the pool is free at once",
            "if (before == null || !listed) {",
            "if (before == null) { return new Entry(Phase.BACK, now); } if (!listed) {",
            "not attached"),
        mutant(
            "the end of the grace period counts although the address is not listed",
            "if (before == null || !listed) {",
            "if (before == null) {",
            "not attached"),
        mutant(
            "the entry of a released address that is gone stays",
            "entry == null || entry.phase() == Phase.LINGERING ? state : null",
            "state",
            "no rest"));
  }

  private static Arguments mutant(String name, String from, String to, String expected) {
    return Arguments.of(name, new Edit(HANDSHAKE, from, to), expected);
  }

  @ParameterizedTest(name = "A94 {0}")
  @MethodSource("planted")
  @DisplayName("A94 A bug that is planted in the agent is found")
  void found(String name, Edit edit, String expected) throws ReflectiveOperationException {
    assertThat(search(edit).apply("FINE alone")).as(name).startsWith("broken: ").contains(expected);
  }

  @Test
  @DisplayName("A94 An agent that looks at an older version than the newest is found")
  void older() {
    assertThat(new RealAgentSearch().apply("FINE told")).startsWith("broken: ");
  }

  @Test
  @DisplayName("A94 An answer for an address that is not in the pool differs from the model's")
  void notInPool() throws ReflectiveOperationException {
    Edit edit = new Edit(HANDSHAKE, FREE, "!sight.kept().test(ip)");
    assertThat(search(edit).apply("FINE compared"))
        .startsWith("differs: ")
        .contains("READY_FOR_RELEASE, not DO_NOT_RELEASE");
  }

  @SuppressWarnings("unchecked")
  private static UnaryOperator<String> search(Edit edit) throws ReflectiveOperationException {
    List<String> anew =
        List.of("io.tidemark.agent.crd.", "io.tidemark.node.", "io.tidemark.it.handshake.");
    ClassLoader loader =
        new MutantLoader(List.of(edit), type -> anew.stream().anyMatch(type::startsWith));
    return (UnaryOperator<String>)
        loader.loadClass(RealAgentSearch.class.getName()).getConstructor().newInstance();
  }
}
