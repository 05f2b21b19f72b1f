package io.tidemark.resource;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Texts of the test resources, and documents made of texts. */
final class TestResources {
  private TestResources() {}

  static String text(String path) {
    try (InputStream in =
        Objects.requireNonNull(TestResources.class.getResourceAsStream(path), path)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The object of a valid text. */
  static NodeResource parse(String text) {
    return NodeResourceJson.parse(text, "test.json")
        .match(
            resource -> resource,
            invalid -> {
              throw new AssertionError("refused: " + invalid.problems());
            });
  }

  /** A valid object with these members of spec and status; single quotes stand for double ones. */
  static NodeResource node(String spec, String status) {
    return parse(
        ("{'apiVersion':'cilium.io/v2','kind':'CiliumNode','metadata':{'name':'n'},'spec':"
                + spec
                + ",'status':"
                + status
                + "}")
            .replace('\'', '"'));
  }
}
