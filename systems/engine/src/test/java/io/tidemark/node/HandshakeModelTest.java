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
@Tag("long")
class HandshakeModelTest {
  private static final String HANDSHAKE = "io.tidemark.node.ReleaseHandshake";
  private static final String ENTRY = "io.tidemark.node.HandshakeEntry";

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
            HANDSHAKE,
            "released before the agent has answered",
            "return inPhase(HandshakeEntry.Phase.READY);",
            "return inPhase(HandshakeEntry.Phase.READY)"
                + ".plus(inPhase(HandshakeEntry.Phase.MARKED));",
            "not acknowledged"),
        mutant(
            ENTRY,
            "an answer counts before our mark was seen",
            "case READY_FOR_RELEASE -> seen ? Phase.READY : Phase.MARKED;",
            "case READY_FOR_RELEASE -> Phase.READY;",
            "not acknowledged"),
        mutant(
            HANDSHAKE,
            "a new mark over an old entry",
            "next.put(address, inObject.contains(address) ? entry : entry.due(now, delayNanos));",
            "next.put(address, entry.due(now, delayNanos));",
            "not acknowledged"),
        mutant(
            HANDSHAKE,
            "a refusal is never dropped",
            "(listed.contains(address) && entry.phase() != HandshakeEntry.Phase.REFUSED)",
            "listed.contains(address)",
            "no rest"),
        mutant(
            ENTRY,
            "what the agent has dropped stays in the handshake",
            "return seen ? Optional.empty() : Optional.of(this);",
            "return Optional.of(this);",
            "no rest"),
        mutant(
            ENTRY,
            "our mark is written over the answer",
            "return answered && wire != null && seen ? wire :",
            "return",
            "no rest"),
        mutant(
            ENTRY,
            "a released address that is back keeps its entry",
            "if (attached && seen) {",
            "if (false) {",
            "no rest"));
  }

  private static Arguments mutant(
      String type, String name, String from, String to, String expected) {
    return Arguments.of(name, new Edit(type, from, to), expected);
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
