package io.tidemark.emulator.ec2.imds;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The content of a path: a text, or a directory of names. */
sealed interface Metadata {
  /** A text, made when it is asked for. */
  record Leaf(Supplier<String> text) implements Metadata {}

  /** Names and what stands under them. Filled once, then read. */
  final class Directory implements Metadata {
    private final Map<String, Metadata> entries = new TreeMap<>();

    Directory text(String name, String text) {
      entries.put(name, new Leaf(() -> text));
      return this;
    }

    /** Left out when empty, as IMDS has no path for what the instance has not. */
    Directory text(String name, Optional<String> text) {
      text.ifPresent(present -> text(name, present));
      return this;
    }

    /** One line each; left out when there is none. */
    Directory lines(String name, Collection<?> lines) {
      return lines.isEmpty()
          ? this
          : text(name, lines.stream().map(Object::toString).collect(Collectors.joining("\n")));
    }

    Directory made(String name, Supplier<String> text) {
      entries.put(name, new Leaf(text));
      return this;
    }

    /** Left out when it has no entry. */
    Directory directory(String name, Directory inner) {
      if (!inner.entries.isEmpty()) {
        entries.put(name, inner);
      }
      return this;
    }

    /** One entry per line, directories with a slash behind them. */
    String listing() {
      return entries.entrySet().stream()
          .map(entry -> entry.getKey() + (entry.getValue() instanceof Directory ? "/" : ""))
          .collect(Collectors.joining("\n"));
    }

    /**
     * The answer to a client for this path, segments parted by slashes; empty when there is
     * nothing.
     */
    Optional<String> read(String path) {
      Metadata at = this;
      for (String segment : path.split("/", -1)) {
        if (segment.isEmpty()) {
          continue;
        }
        @Nullable Metadata next = at instanceof Directory inner ? inner.entries.get(segment) : null;
        if (next == null) {
          return Optional.empty();
        }
        at = next;
      }
      if (at instanceof Leaf leaf) {
        return path.endsWith("/") ? Optional.empty() : Optional.of(leaf.text().get());
      }
      return Optional.of(((Directory) at).listing());
    }
  }
}
