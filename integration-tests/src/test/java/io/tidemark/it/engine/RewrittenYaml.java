package io.tidemark.it.engine;

import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.testing.Samples;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;

/** A manifest as a program reads it into maps and lists and writes it again in its own way. */
enum RewrittenYaml {
  /** As a Go program with {@code sigs.k8s.io/yaml}: keys sorted, zero values left out. */
  GO {
    @Override
    String of(String manifest) {
      return dump(sorted(withoutZeros(load(manifest), "")), FlowStyle.BLOCK, ScalarStyle.PLAIN);
    }
  },
  /** As PyYAML by default: keys sorted, everything in blocks. */
  PYTHON_BLOCK {
    @Override
    String of(String manifest) {
      return dump(sorted(load(manifest)), FlowStyle.BLOCK, ScalarStyle.PLAIN);
    }
  },
  /** As PyYAML with {@code default_flow_style=True}: everything in braces. */
  PYTHON_FLOW {
    @Override
    String of(String manifest) {
      return dump(sorted(load(manifest)), FlowStyle.FLOW, ScalarStyle.PLAIN);
    }
  },
  /** Keys and sets the other way round, as a hash map may give them, and every text in quotes. */
  REVERSED {
    @Override
    String of(String manifest) {
      return dump(reversed(load(manifest), ""), FlowStyle.AUTO, ScalarStyle.JSON_SCALAR_STYLE);
    }
  },
  /** As a program that writes every member that it knows, zero values too. */
  ZEROS_ADDED {
    @Override
    String of(String manifest) {
      return dump(withZeros(load(manifest), ""), FlowStyle.BLOCK, ScalarStyle.PLAIN);
    }
  };

  private static final List<String> SETS = List.of("addresses", "prefixes", "security-groups");

  /** The same object in other words. */
  abstract String of(String manifest);

  /** The same object as such a program sends it. */
  NodeResource of(NodeResource resource) {
    DumpSettings oneLine =
        DumpSettings.builder()
            .setDefaultFlowStyle(FlowStyle.FLOW)
            .setDefaultScalarStyle(ScalarStyle.JSON_SCALAR_STYLE)
            .setSplitLines(false)
            .setWidth(Integer.MAX_VALUE)
            .build();
    Object tree = load(of(NodeResourceJson.print(resource)));
    return Samples.parsed(new Dump(oneLine).dumpToString(tree));
  }

  private static Object load(String manifest) {
    return new Load(LoadSettings.builder().build()).loadFromString(manifest);
  }

  private static String dump(Object value, FlowStyle flow, ScalarStyle scalars) {
    DumpSettings settings =
        DumpSettings.builder().setDefaultFlowStyle(flow).setDefaultScalarStyle(scalars).build();
    return new Dump(settings).dumpToString(value);
  }

  private static Object sorted(Object value) {
    if (value instanceof Map<?, ?> map) {
      Map<String, Object> sorted = new TreeMap<>();
      map.forEach((key, each) -> sorted.put((String) key, sorted(each)));
      return sorted;
    }
    return value instanceof List<?> list
        ? list.stream().map(RewrittenYaml::sorted).toList()
        : value;
  }

  private static Object withoutZeros(Object value, String parent) {
    if (!(value instanceof Map<?, ?> map)) {
      return value;
    }
    boolean data = parent.equals("tags") || parent.equals("pool") || parent.equals("used");
    Map<String, Object> kept = new LinkedHashMap<>();
    map.forEach(
        (key, each) -> {
          Object inner = withoutZeros(each, (String) key);
          boolean zero =
              inner == null
                  || inner.equals(0)
                  || inner.equals("")
                  || inner.equals(Map.of())
                  || inner.equals(List.of());
          if (data || !zero || key.equals("first-interface-index")) {
            kept.put((String) key, inner);
          }
        });
    return kept;
  }

  private static Object withZeros(Object value, String parent) {
    if (!(value instanceof Map<?, ?> map)) {
      return value;
    }
    Map<String, Object> more = new LinkedHashMap<>();
    if (parent.startsWith("eni-")) {
      more.put("number", 0);
      more.put("description", "");
      more.put("tags", new LinkedHashMap<>());
      more.put("prefixes", new ArrayList<>());
      more.put("public-ip", "");
      more.put("subnet", new LinkedHashMap<>());
    }
    if (parent.equals("status")) {
      more.put("azure", new LinkedHashMap<>());
      more.put("alibaba-cloud", new LinkedHashMap<>());
    }
    map.forEach((key, each) -> more.put((String) key, withZeros(each, (String) key)));
    return more;
  }

  private static Object reversed(Object value, String parent) {
    if (value instanceof Map<?, ?> map) {
      List<String> keys = new ArrayList<>();
      map.keySet().forEach(key -> keys.add((String) key));
      Collections.reverse(keys);
      Map<String, Object> reversed = new LinkedHashMap<>();
      keys.forEach(key -> reversed.put(key, reversed(Objects.requireNonNull(map.get(key)), key)));
      return reversed;
    }
    if (value instanceof List<?> list && SETS.contains(parent)) {
      List<Object> reversed = new ArrayList<>(list);
      Collections.reverse(reversed);
      return reversed;
    }
    return value;
  }
}
