package io.tidemark.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.manifests.ObjectEdit.Result;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("An edit changes its own characters and no other")
class ObjectEditTest {
  /** One change of one half; each line a path and a JSON value. */
  private record Change(OwnedPaths half, List<String> lines) {}

  private record Case(
      String title, String before, List<Change> changes, String after, String refusedPath) {
    String fileName() {
      return before.startsWith("{\n") || before.startsWith("{\"") ? "n1.json" : "n1.yaml";
    }

    @Override
    public String toString() {
      return title;
    }
  }

  static List<Case> cases() throws IOException {
    List<Case> cases = new ArrayList<>();
    for (String part : resource("edits.txt").split("(?m)^@@ title ", -1)) {
      if (!part.startsWith("Before and after")) {
        cases.add(parse(part));
      }
    }
    return cases;
  }

  private static Case parse(String part) {
    String[] sections = part.split("(?m)^@@ ", -1);
    String title = sections[0].lines().findFirst().orElseThrow();
    String before = body(sections[0], false);
    List<Change> changes = new ArrayList<>();
    for (int i = 1; i < sections.length - 1; i++) {
      OwnedPaths half =
          sections[i].startsWith("spec")
              ? ManifestKind.CILIUM_NODE.spec()
              : ManifestKind.CILIUM_NODE.status();
      changes.add(new Change(half, sections[i].lines().skip(1).filter(l -> !l.isBlank()).toList()));
    }
    String last = sections[sections.length - 1];
    boolean refused = last.startsWith("refused");
    String path = refused ? last.lines().findFirst().orElseThrow().substring(8) : "";
    return new Case(title, before, changes, refused ? before : body(last, true), path);
  }

  private static String body(String section, boolean lastOfCase) {
    String text = section.substring(section.indexOf('\n') + 1);
    if (lastOfCase && text.endsWith("\n\n")) {
      text = text.substring(0, text.length() - 1);
    }
    text = text.replace("→", "\t").replace("␍", "\r");
    int end = text.indexOf('∎');
    return end < 0 ? text : text.substring(0, end);
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = ObjectEditTest.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void table(Case each) {
    ManifestFile file = ManifestFile.read(ManifestKind.CILIUM_NODE, each.fileName(), each.before());
    for (Change change : each.changes()) {
      ObjectEdit edit = Trees.edit(file, "n1", change.half(), change.lines());
      ManifestEdits made = ManifestEdits.of(file, List.of(edit));
      Result result = Objects.requireNonNull(made.results().get("n1"));
      if (!each.refusedPath().isEmpty()) {
        assertThat(result).isInstanceOf(Result.Refused.class);
        assertThat(((Result.Refused) result).problem().path()).isEqualTo(each.refusedPath());
        return;
      }
      assertThat(result).isEqualTo(new Result.Made());
      file = made.file();
    }
    assertThat(file.text()).isEqualTo(each.after());
  }

  @ParameterizedTest(name = "made again: {0}")
  @MethodSource("cases")
  @DisplayName("NM-S3 an edit that is made already changes nothing")
  void again(Case each) {
    ManifestFile before =
        ManifestFile.read(ManifestKind.CILIUM_NODE, each.fileName(), each.before());
    ManifestFile after = ManifestFile.read(ManifestKind.CILIUM_NODE, each.fileName(), each.after());
    for (Change change : each.changes()) {
      if (each.refusedPath().isEmpty()) {
        ObjectEdit edit = Trees.edit(before, "n1", change.half(), change.lines());
        assertThat(ManifestEdits.of(after, List.of(edit)).file()).isSameAs(after);
      }
    }
  }

  @Test
  @DisplayName("the table is long enough to mean something")
  void size() throws IOException {
    assertThat(cases()).hasSizeGreaterThanOrEqualTo(40);
  }
}
