package io.tidemark.resource;

import io.tidemark.testing.Samples;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

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
    return Samples.parsed(text);
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

  /** The answer of each accessor, by its name; hashes left out. */
  static SortedMap<String, Object> views(NodeResource resource) {
    SortedMap<String, Object> views = new TreeMap<>();
    for (Method each : NodeResource.class.getDeclaredMethods()) {
      boolean accessor = Modifier.isPublic(each.getModifiers()) && each.getParameterCount() == 0;
      if (accessor
          && !each.getReturnType().equals(NodeResource.class)
          && !each.getReturnType().equals(int.class)) {
        try {
          views.put(each.getName(), each.invoke(resource));
        } catch (ReflectiveOperationException e) {
          throw new LinkageError(e.getMessage(), e);
        }
      }
    }
    return views;
  }
}
