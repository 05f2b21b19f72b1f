package io.tidemark.manifests;

import io.tidemark.manifests.MarkedNode.Alias;
import io.tidemark.manifests.MarkedNode.Child;
import io.tidemark.manifests.MarkedNode.Compound;
import io.tidemark.manifests.MarkedNode.Document;
import io.tidemark.manifests.MarkedNode.Kind;
import io.tidemark.manifests.MarkedNode.Quoting;
import io.tidemark.manifests.MarkedNode.Scalar;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
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
      "Correct the YAML; if another program is still writing the file, it is read again"
          + " automatically.";
  private static final LoadSettings SETTINGS =
      LoadSettings.builder().setCodePointLimit(Integer.MAX_VALUE).setUseMarks(true).build();

  private final TextCursor cursor;
  private final int from;
  private final String part;

  /** Whether the part has characters of two chars, which the parser counts once. */
  private final boolean wide;

  private int knownCodePoints;
  private int knownChars;
  private final Iterator<Event> events;
  private final Map<String, MarkedNode> anchors = new HashMap<>();
  private final Set<String> open = new HashSet<>();
  private Set<MarkedNode> shared = Collections.newSetFromMap(new IdentityHashMap<>());

  private MarkedYaml(TextCursor cursor, int from, String part) {
    this.cursor = cursor;
    this.from = from;
    this.part = part;
    this.wide = part.codePointCount(0, part.length()) < part.length();
    this.events = new Parse(SETTINGS).parseString(part).iterator();
  }

  /** The documents between two offsets of a text; their places count from its beginning. */
  static List<Document> parse(TextCursor cursor, int from, int to) throws TextFault {
    StringBuilder part = new StringBuilder(cursor.text().substring(from, to));
    for (int tabs = 0; ; tabs++) {
      MarkedYaml reader = new MarkedYaml(cursor, from, part.toString());
      try {
        return reader.documents();
      } catch (MarkedYamlEngineException e) {
        Optional<Mark> mark = e.getProblemMark().or(e::getContextMark);
        int at = mark.map(m -> reader.offset(Optional.of(m))).orElse(from);
        if (tabs == TABS_MAX || !isSeparatingTab(part, at - from)) {
          throw new TextFault(at, "not YAML: " + e.getProblem(), SYNTAX_REMEDY);
        }
        part.setCharAt(at - from, ' ');
      } catch (YamlEngineException e) {
        String problem = String.valueOf(e.getMessage()).lines().findFirst().orElse("unreadable");
        throw new TextFault(from, "not YAML: " + problem, SYNTAX_REMEDY);
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

  private List<Document> documents() throws TextFault {
    List<Document> documents = new ArrayList<>();
    while (events.hasNext()) {
      if (events.next().getEventId() == Event.ID.DocumentStart) {
        anchors.clear();
        shared = Collections.newSetFromMap(new IdentityHashMap<>());
        documents.add(new Document(node(events.next(), 0), shared));
      }
    }
    return documents;
  }

  private MarkedNode node(Event event, int depth) throws TextFault {
    int start = offset(event.getStartMark());
    if (depth > DEPTH_MAX) {
      throw new TextFault(
          start, "nested deeper than " + DEPTH_MAX + " levels", "Flatten the document.");
    }
    if (event instanceof AliasEvent alias) {
      return alias(alias, start);
    }
    Optional<String> anchor = ((NodeEvent) event).getAnchor().map(Anchor::getValue);
    anchor.ifPresent(open::add);
    MarkedNode node =
        event instanceof ScalarEvent scalar
            ? scalar(scalar, start)
            : compound((CollectionStartEvent) event, start, depth);
    anchor.ifPresent(
        name -> {
          open.remove(name);
          anchors.put(name, node);
        });
    return node;
  }

  private Alias alias(AliasEvent event, int start) throws TextFault {
    String name = event.getAlias().getValue();
    MarkedNode target = anchors.get(name);
    if (target == null || open.contains(name)) {
      String problem = open.contains(name) ? " refers to itself" : " has no anchor before it";
      throw new TextFault(
          start, "alias *" + name + problem, "Write the value out in place of the alias.");
    }
    shared.add(target);
    return new Alias(start, offset(event.getEndMark()), name, target);
  }

  private Scalar scalar(ScalarEvent event, int start) throws TextFault {
    int end = offset(event.getEndMark());
    Quoting quoting;
    if (event.isSQuoted()) {
      quoting = Quoting.SINGLE;
    } else if (event.isDQuoted()) {
      quoting = Quoting.DOUBLE;
    } else if (event.isPlain()) {
      quoting = Quoting.PLAIN;
    } else {
      quoting = Quoting.BLOCK;
      end = cursor.endOfBlockScalar(start, end, event.getValue());
    }
    return PlainScalar.read(start, end, event.getTag(), quoting, event.getValue());
  }

  private Compound compound(CollectionStartEvent event, int start, int depth) throws TextFault {
    boolean mapping = event instanceof MappingStartEvent;
    Optional<String> tag = event.getTag();
    if (tag.isPresent() && !tag.get().equals("tag:yaml.org,2002:" + (mapping ? "map" : "seq"))) {
      throw new TextFault(
          start, "tag " + tag.get() + " is not supported", "Write the value without a tag.");
    }
    boolean properties = event.getAnchor().isPresent() || tag.isPresent();
    int content = properties ? cursor.behindProperties(start) : start;
    List<Child> children = new ArrayList<>();
    Set<String> names = new HashSet<>();
    int end = content;
    Event next = events.next();
    while (!(next instanceof CollectionEndEvent)) {
      Child child =
          mapping ? entry(next, depth, names) : item(next, depth, event.isFlow() ? -1 : end);
      children.add(child);
      end = child.end();
      next = events.next();
    }
    if (event.isFlow()) {
      end = offset(next.getEndMark());
    }
    return Compound.of(mapping, start, content, end, event.isFlow(), children);
  }

  private Child item(Event event, int depth, int behind) throws TextFault {
    int dash = behind < 0 ? MarkedNode.NOWHERE : cursor.skipBlank(behind);
    return new Child(null, dash, node(event, depth + 1));
  }

  private Child entry(Event event, int depth, Set<String> names) throws TextFault {
    MarkedNode key = node(event, depth + 1);
    if (!(key instanceof Scalar scalar)) {
      throw new TextFault(key.start(), "a key is not a plain text", "Write each key as a text.");
    }
    String name = ((ScalarEvent) event).getValue();
    if (name.equals("<<") && scalar.quoting() == Quoting.PLAIN) {
      throw new TextFault(
          key.start(), "merge key << is not supported", "Write the merged fields out.");
    }
    MarkedNode value = node(events.next(), depth + 1);
    if (!names.add(name)) {
      throw new TextFault(key.start(), "key " + name + " stands twice", "Remove one of the two.");
    }
    Scalar text = new Scalar(key.start(), key.end(), Kind.STRING, scalar.quoting(), name);
    return new Child(text, cursor.colon(key.end(), value.start()), value);
  }

  /**
   * The parser counts code points; its marks mostly go forwards, so each is found from the last.
   */
  private int offset(Optional<Mark> mark) {
    int codePoints = mark.map(Mark::getIndex).orElse(0);
    if (!wide) {
      return from + codePoints;
    }
    knownChars = part.offsetByCodePoints(knownChars, codePoints - knownCodePoints);
    knownCodePoints = codePoints;
    return from + knownChars;
  }
}
