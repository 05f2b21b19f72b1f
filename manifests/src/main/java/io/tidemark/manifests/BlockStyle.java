package io.tidemark.manifests;

import io.tidemark.manifests.MarkedScalar.Quoting;
import java.util.List;
import java.util.Optional;

/**
 * How new lines of a block are written.
 *
 * @param keys quoting of the new keys
 * @param inner quoting of keys inside their values
 * @param strings quoting of strings
 * @param flow the style of their values when those are written with braces
 */
record BlockStyle(Quoting keys, Quoting inner, Quoting strings, Optional<FlowStyle> flow) {
  static final BlockStyle PLAIN =
      new BlockStyle(Quoting.PLAIN, Quoting.PLAIN, Quoting.PLAIN, Optional.empty());

  /** The style of the last entry of a mapping. */
  static BlockStyle of(TextCursor cursor, List<MarkedEntry> entries) {
    MarkedEntry sample = entries.get(entries.size() - 1);
    BlockStyle style = of(cursor, sample.value());
    return new BlockStyle(sample.key().quoting(), style.keys(), style.strings(), style.flow());
  }

  /** The style of what stands inside {@code sample}. */
  static BlockStyle of(TextCursor cursor, MarkedNode sample) {
    Quoting keys = Quoting.PLAIN;
    MarkedNode keyed = sample;
    if (sample instanceof MarkedSequence sequence && !sequence.isEmpty()) {
      keyed = sequence.items().get(sequence.items().size() - 1);
    }
    Optional<FlowStyle> flow = Optional.empty();
    if (keyed instanceof MarkedMapping mapping && !mapping.isEmpty()) {
      keys = mapping.entries().iterator().next().key().quoting();
      if (mapping.flow()) {
        FlowStyle braces = FlowStyle.of(cursor, mapping, FlowStyle.YAML);
        flow = braces.lines() ? Optional.empty() : Optional.of(braces);
      }
    }
    Quoting strings = FlowStyle.firstString(sample).orElse(Quoting.PLAIN);
    return new BlockStyle(keys, keys, strings, flow);
  }

  /** The style of what stands inside the new values. */
  BlockStyle inside() {
    return new BlockStyle(inner, inner, strings, flow);
  }

  /** The style of braces among these lines. */
  FlowStyle braces() {
    return flow.orElse(FlowStyle.YAML);
  }

  /** A string that replaces a string keeps its quotes. */
  BlockStyle stringsOf(MarkedNode current) {
    return new BlockStyle(keys, inner, FlowStyle.firstString(current).orElse(strings), flow);
  }
}
