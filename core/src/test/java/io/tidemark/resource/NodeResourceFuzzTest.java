package io.tidemark.resource;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Random documents")
class NodeResourceFuzzTest {
  private static final String SAMPLE = TestResources.text("/resource/foreign-fields.json");
  private static final String ALPHABET = "{}[]\",:0123456789.-+eEtrufalsn\\ /\u00e9\n";

  @Test
  @DisplayName("N5 a document with random fields at every level is printed as it was read")
  void roundTrip() {
    for (long seed = 0; seed < 500; seed++) {
      RandomTrees trees = new RandomTrees(new Random(seed));
      JsonObject tree = trees.withForeignFields(sample().json());
      String text = TreePrinter.compact(tree);
      ParsedResource<NodeResource> parsed = NodeResourceJson.parse(text, "seed " + seed);
      assertThat(parsed).as("seed %d: %s", seed, parsed).isInstanceOf(ParsedResource.Valid.class);
      NodeResource resource = ((ParsedResource.Valid<NodeResource>) parsed).resource();
      assertThat(NodeResourceJson.print(resource)).as("seed %d", seed).isEqualTo(text);
      assertThat(resource.sameSpec(sample().withSpecOf(resource))).as("seed %d", seed).isTrue();
      assertThat(TestResources.parse(NodeResourceJson.printPretty(resource)))
          .as("seed %d", seed)
          .isEqualTo(resource);
    }
  }

  @Test
  @DisplayName("damaged text is refused or read, but nothing is thrown, and what is read is whole")
  void damage() {
    int read = 0;
    for (long seed = 0; seed < 5_000; seed++) {
      String text = damaged(new Random(seed));
      ParsedResource<NodeResource> parsed;
      try {
        parsed = NodeResourceJson.parse(text, "seed " + seed);
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed + ": " + text, e);
      }
      if (parsed instanceof ParsedResource.Valid<NodeResource> valid) {
        read++;
        NodeResource resource = valid.resource();
        assertThat(TestResources.views(resource)).as("seed %d", seed).isNotEmpty();
        assertThat(TestResources.parse(NodeResourceJson.print(resource)))
            .as("seed %d", seed)
            .isEqualTo(resource);
      }
    }
    assertThat(read).isPositive().isLessThan(5_000);
  }

  private static NodeResource sample() {
    return TestResources.parse(SAMPLE);
  }

  private static String damaged(Random random) {
    StringBuilder text = new StringBuilder(SAMPLE);
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      int at = random.nextInt(text.length());
      char c = ALPHABET.charAt(random.nextInt(ALPHABET.length()));
      switch (random.nextInt(4)) {
        case 0 -> text.setCharAt(at, c);
        case 1 -> text.insert(at, c);
        case 2 -> text.deleteCharAt(at);
        default -> text.delete(at, Math.min(text.length(), at + 1 + random.nextInt(40)));
      }
    }
    return text.toString();
  }
}
