package io.tidemark.manifests;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads YAML 1.2 into values that know their place. Refuses what an editor of text could not keep:
 * keys that are not scalars, keys that stand twice, merge keys, tags of an application.
 */
final class MarkedYaml {
  private static final int DEPTH_MAX = 100;
  private static final int TABS_MAX = 64;
  private static final String SYNTAX_REMEDY =
      "Correct the YAML; if another program is still writing the file, it is read again by itself.";
  private static final LoadSettings SETTINGS =
      LoadSettings.builder().setCodePointLimit(Integer.MAX_VALUE).setUseMarks(true).build();

  private final TextCursor cursor;
  private final int from;
  private final CharOffsets offsets;
  private final Iterator<Event> events;
  private final Map<String, MarkedNode> anchors = new HashMap<>();
  private final Set<String> open = new HashSet<>();
  private Set<MarkedNode> shared = Collections.newSetFromMap(new IdentityHashMap<>());

  private MarkedYaml(String text, int from, String part) {
    this.cursor = new TextCursor(text);
    this.from = from;
    this.offsets = CharOffsets.of(part);
    this.events = new Parse(SETTINGS).parseString(part).iterator();
  }

  /** The documents between two offsets of {@code text}; their places count from its beginning. */
  static List<MarkedDocument> parse(String text, int from, int to) throws MalformedText {
    StringBuilder part = new StringBuilder(text.substring(from, to));
    for (int tabs = 0; ; tabs++) {
      MarkedYaml reader = new MarkedYaml(text, from, part.toString());
      try {
        return reader.documents();
      } catch (MarkedYamlEngineException e) {
        Optional<Mark> mark = e.getProblemMark().or(e::getContextMark);
        int at = mark.map(m -> reader.offset(Optional.of(m))).orElse(from);
        if (tabs == TABS_MAX || !isSeparatingTab(part, at - from)) {
          throw new MalformedText(at, "not YAML: " + e.getProblem(), SYNTAX_REMEDY);
        }
        part.setCharAt(at - from, ' ');
      } catch (YamlEngineException e) {
        String problem = String.valueOf(e.getMessage()).lines().findFirst().orElse("unreadable");
        throw new MalformedText(from, "not YAML: " + problem, SYNTAX_REMEDY);
      }
    }
  }

  /** YAML lets a tab stand between a colon and its value; the parser takes none there. */
  private static boolean isSeparatingTab(CharSequence part, int at) {
    if (at >= part.length() || part.charAt(at) != '\t') {
      return false;
    }
    int before = at - 1;
    while (before >= 0 && (part.charAt(before) == ' ' || part.charAt(before) == '\t')) {
      before--;
    }
    return before >= 0 && !TextCursor.isBreak(part.charAt(before));
  }

  private List<MarkedDocument> documents() throws MalformedText {
    List<MarkedDocument> documents = new ArrayList<>();
    while (events.hasNext()) {
      if (events.next().getEventId() == Event.ID.DocumentStart) {
        anchors.clear();
        shared = Collections.newSetFromMap(new IdentityHashMap<>());
        documents.add(new MarkedDocument(node(events.next(), 0), shared));
      }
    }
    return documents;
  }

  private MarkedNode node(Event event, int depth) throws MalformedText {
    int start = offset(event.getStartMark());
    if (depth > DEPTH_MAX) {
      throw new MalformedText(
          start, "nested deeper than " + DEPTH_MAX + " levels", "Flatten the document.");
    }
    if (event instanceof AliasEvent alias) {
      return alias(alias, start);
    }
    Optional<String> anchor = ((NodeEvent) event).getAnchor().map(Anchor::getValue);
    anchor.ifPresent(open::add);
    MarkedNode node;
    if (event instanceof ScalarEvent scalar) {
      node = scalar(scalar, start);
    } else if (event instanceof MappingStartEvent mapping) {
      node = mapping(mapping, start, depth);
    } else {
      node = sequence((CollectionStartEvent) event, start, depth);
    }
    anchor.ifPresent(
        name -> {
          open.remove(name);
          anchors.put(name, node);
        });
    return node;
  }

  private MarkedAlias alias(AliasEvent event, int start) throws MalformedText {
    String name = event.getAlias().getValue();
    MarkedNode target = anchors.get(name);
    if (target == null || open.contains(name)) {
      String problem = open.contains(name) ? " refers to itself" : " has no anchor before it";
      throw new MalformedText(
          start, "alias *" + name + problem, "Write the value out in place of the alias.");
    }
    shared.add(target);
    return new MarkedAlias(start, offset(event.getEndMark()), name, target);
  }

  private MarkedScalar scalar(ScalarEvent event, int start) throws MalformedText {
    int end = offset(event.getEndMark());
    MarkedScalar.Quoting quoting;
    if (event.isSQuoted()) {
      quoting = MarkedScalar.Quoting.SINGLE;
    } else if (event.isDQuoted()) {
      quoting = MarkedScalar.Quoting.DOUBLE;
    } else if (event.isPlain()) {
      quoting = MarkedScalar.Quoting.PLAIN;
    } else {
      quoting = MarkedScalar.Quoting.BLOCK;
      end = cursor.endOfBlockScalar(start, end, event.getValue());
    }
    int content = Math.min(content(event, event.getTag(), start), end);
    PlainScalar value = PlainScalar.tagged(event.getTag(), quoting, event.getValue());
    if (value.problem().isPresent()) {
      throw new MalformedText(start, value.problem().get(), "Write a plain value without a tag.");
    }
    return new MarkedScalar(start, content, end, value.kind(), quoting, value.text());
  }

  private MarkedMapping mapping(MappingStartEvent event, int start, int depth)
      throws MalformedText {
    checkTag(event.getTag(), "map", start);
    int content = content(event, event.getTag(), start);
    Map<String, MarkedEntry> entries = new LinkedHashMap<>();
    int end = content;
    Event next = events.next();
    while (next.getEventId() != Event.ID.MappingEnd) {
      MarkedScalar key = key(next, depth);
      MarkedNode value = node(events.next(), depth + 1);
      int colon = cursor.colon(key.end(), value.start());
      MarkedEntry entry = new MarkedEntry(key, colon, value);
      if (entries.put(key.text(), entry) != null) {
        throw new MalformedText(
            key.start(), "key " + key.text() + " stands twice", "Remove one of the two.");
      }
      end = entry.end();
      next = events.next();
    }
    if (event.isFlow()) {
      end = offset(next.getEndMark());
    }
    return new MarkedMapping(start, content, end, event.isFlow(), entries);
  }

  private MarkedScalar key(Event event, int depth) throws MalformedText {
    MarkedNode key = node(event, depth + 1);
    if (!(key instanceof MarkedScalar scalar)) {
      throw new MalformedText(
          key.start(), "a key is not a plain text", "Write each key as a text.");
    }
    String name = ((ScalarEvent) event).getValue();
    if (name.equals("<<") && scalar.quoting() == MarkedScalar.Quoting.PLAIN) {
      throw new MalformedText(
          key.start(), "merge key << is not supported", "Write the merged fields out.");
    }
    return new MarkedScalar(
        scalar.start(),
        scalar.content(),
        scalar.end(),
        MarkedScalar.Kind.STRING,
        scalar.quoting(),
        name);
  }

  private MarkedSequence sequence(CollectionStartEvent event, int start, int depth)
      throws MalformedText {
    checkTag(event.getTag(), "seq", start);
    int content = content(event, event.getTag(), start);
    List<MarkedNode> items = new ArrayList<>();
    int end = content;
    Event next = events.next();
    while (next.getEventId() != Event.ID.SequenceEnd) {
      MarkedNode item = node(next, depth + 1);
      items.add(item);
      end = event.isFlow() ? item.end() : Math.max(cursor.dash(end) + 1, item.end());
      next = events.next();
    }
    if (event.isFlow()) {
      end = offset(next.getEndMark());
    }
    return new MarkedSequence(start, content, end, event.isFlow(), items);
  }

  private int content(NodeEvent event, Optional<String> tag, int start) {
    return event.getAnchor().isPresent() || tag.isPresent()
        ? cursor.behindProperties(start)
        : start;
  }

  private static void checkTag(Optional<String> tag, String kind, int start) throws MalformedText {
    if (tag.isPresent() && !tag.get().equals("tag:yaml.org,2002:" + kind)) {
      throw new MalformedText(
          start, "tag " + tag.get() + " is not supported", "Write the value without a tag.");
    }
  }

  private int offset(Optional<Mark> mark) {
    return from + offsets.chars(mark.map(Mark::getIndex).orElse(0));
  }
}
