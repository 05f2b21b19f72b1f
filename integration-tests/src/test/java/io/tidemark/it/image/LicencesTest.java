package io.tidemark.it.image;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.testing.Repository;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("image")
@DisplayName("The libraries of the programs")
class LicencesTest {
  /** Of several, one suffices. */
  private static final Set<String> ALLOWED =
      Set.of(
          "Apache-2.0",
          "MIT",
          "MIT-0",
          "BSD-2-Clause",
          "BSD-3-Clause",
          "CC0-1.0",
          "EPL-2.0",
          // JLine has the licence of three clauses; its descriptor names it "The BSD License".
          "BSD-4-Clause");

  /** Group and name of each library of both programs, and its licences. */
  private static Map<String, Set<String>> libraries() throws IOException {
    Map<String, Set<String>> all = new TreeMap<>();
    for (String each :
        new String[] {
          "programs/operator/target/tidemark.cdx.json",
          "programs/daemon/target/tidemark-node.cdx.json"
        }) {
      for (JsonNode component :
          new ObjectMapper().readTree(Repository.text(each)).path("components")) {
        String group = component.path("group").asText();
        if (!group.equals("io.tidemark")) {
          Set<String> licences = new TreeSet<>();
          for (JsonNode licence : component.path("licenses")) {
            licences.add(licence.path("license").path("id").asText());
          }
          all.put(group + ':' + component.path("name").asText(), licences);
        }
      }
    }
    return all;
  }

  @Test
  @DisplayName("have a licence that Apache-2.0 goes with")
  void allowed() throws IOException {
    assertThat(libraries())
        .hasSizeGreaterThan(100)
        .allSatisfy(
            (name, licences) -> assertThat(licences).as(name).containsAnyElementsOf(ALLOWED));
  }

  @Test
  @DisplayName("are those of docs/internals/libraries.md, with these licences")
  void listed() throws IOException {
    StringBuilder rows = new StringBuilder();
    libraries()
        .forEach(
            (name, licences) ->
                rows.append("| ")
                    .append(name)
                    .append(" | ")
                    .append(String.join(", ", licences))
                    .append(" |\n"));
    assertThat(Repository.text("docs/internals/libraries.md")).endsWith("| --- | --- |\n" + rows);
  }
}
