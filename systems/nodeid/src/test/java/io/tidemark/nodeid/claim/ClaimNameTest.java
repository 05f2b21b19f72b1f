package io.tidemark.nodeid.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.nodeid.NodeId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Names of claims, and notes of leaders (node-id 19.2 AM4, AM8)")
class ClaimNameTest {
  @Test
  @DisplayName("NI-27 The claim of an id is named node-id- and its number in decimal")
  void names() {
    assertThat(ClaimName.of(NodeId.of(5))).isEqualTo("node-id-5");
    assertThat(ClaimName.id("node-id-5")).contains(NodeId.of(5));
    assertThat(ClaimName.id("node-id-4294967295")).contains(NodeId.of(NodeId.MAX));
  }

  @ParameterizedTest
  @DisplayName("NI-35 Any other name stands for no id")
  @ValueSource(
      strings = {"node-id-", "node-id-0", "node-id-05", "node-id--1", "node-id-4294967296", "x-5"})
  void others(String name) {
    assertThat(ClaimName.id(name)).isEmpty();
  }

  @Test
  @DisplayName("NI-30 Notes are read as they were written; what cannot be read is not known")
  void notes() {
    IdNotes notes = new IdNotes(17, List.of(NodeId.of(9), NodeId.of(3)));
    assertThat(notes.write())
        .isEqualTo(Map.of("node-id-frontier", "17", "node-id-released", "9 3"));
    assertThat(IdNotes.read(notes.write())).isEqualTo(notes);
    assertThat(IdNotes.read(IdNotes.NONE.write())).isEqualTo(IdNotes.NONE);
    assertThat(IdNotes.read(Map.of())).isEqualTo(IdNotes.NONE);
    assertThat(IdNotes.read(Map.of("node-id-frontier", "many"))).isEqualTo(IdNotes.NONE);
  }
}
