package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.node.HandshakeModel.Grain;
import io.tidemark.testing.MutantLoader;
import io.tidemark.testing.MutantLoader.Edit;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Every state of the release handshake (reliability.md, release race)")
@Tag("any-jdk")
class HandshakeModelTest {
  private static final String HANDSHAKE = "io.tidemark.node.ReleaseHandshake";

  @ParameterizedTest(name = "{0}")
  @EnumSource(Grain.class)
  @DisplayName(
      "I2 no address of a pod, none without an acknowledgement is released; all come to rest")
  void sound(Grain grain) {
    String found = new HandshakeSearch().apply(grain.name());
    System.out.println("Release handshake, " + grain + ": " + found);
    assertThat(found).startsWith("sound: ");
  }

  static Stream<Arguments> planted() {
    return Stream.of(
        mutant(
            "released before the agent has answered",
            "return inPhase(Phase.READY);",
            "return inPhase(Phase.READY).plus(inPhase(Phase.MARKED));",
            "not acknowledged"),
        mutant(
            "an answer counts before our mark was seen",
            "case READY_FOR_RELEASE -> entry.seen() ? Phase.READY : Phase.MARKED;",
            "case READY_FOR_RELEASE -> Phase.READY;",
            "not acknowledged"),
        mutant(
            "a new mark over an old entry",
            "next.put(address, inObject.contains(address) ? entry : due(entry, now, delayNanos));",
            "next.put(address, due(entry, now, delayNanos));",
            "not acknowledged"),
        mutant(
            "a refusal is never dropped",
            "(listed.contains(address) && entry.phase() != Phase.REFUSED)",
            "listed.contains(address)",
            "no rest"),
        mutant(
            "what the agent has dropped stays in the handshake",
            "return entry.seen() ? Optional.empty() : Optional.of(entry);",
            "return Optional.of(entry);",
            "no rest"),
        mutant(
            "our mark is written over the answer",
            "return answered && wire != null && entry.seen() ? wire :",
            "return",
            "no rest"),
        mutant(
            "a released address that is back keeps its entry",
            "if (attached && entry.seen()) {",
            "if (false) {",
            "no rest"));
  }

  private static Arguments mutant(String name, String from, String to, String expected) {
    return Arguments.of(name, new Edit(HANDSHAKE, from, to), expected);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("planted")
  @DisplayName("a planted bug is found")
  @SuppressWarnings("unchecked")
  void found(String name, Edit edit, String expected) throws ReflectiveOperationException {
    ClassLoader loader =
        new MutantLoader(List.of(edit), type -> type.startsWith("io.tidemark.node."));
    UnaryOperator<String> search =
        (UnaryOperator<String>)
            loader.loadClass(HandshakeSearch.class.getName()).getConstructor().newInstance();
    String found = search.apply(Grain.FINE.name());
    assertThat(found).as(name).startsWith("broken: ").contains(expected);
  }
}
