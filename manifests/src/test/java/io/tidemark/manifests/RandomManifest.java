package io.tidemark.manifests;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A random file of manifests: blocks and braces, indented and flush dashes, quotes of every kind,
 * comments and blank lines anywhere, unknown fields, empty sections in every spelling. Each foreign
 * piece carries a mark {@code <m1>}, {@code <m2>}, ... in the order of the text.
 */
final class RandomManifest {
  private final Random random;
  private final StringBuilder out = new StringBuilder();
  private final String unit;
  private final String dash;
  private final String eol;
  private int marks;

  RandomManifest(Random random) {
    this.random = random;
    this.unit = " ".repeat(random.nextInt(4) == 0 ? 4 : 2);
    this.dash = random.nextBoolean() ? "" : "  ";
    this.eol = random.nextInt(4) == 0 ? "\r\n" : "\n";
  }

  String text() {
    int objects = 1 + random.nextInt(3);
    boolean list = random.nextInt(4) == 0;
    if (list) {
      line("", "apiVersion: v1");
      line("", "kind: List");
      line("", "items:");
    }
    for (int i = 0; i < objects; i++) {
      if (!list && (i > 0 || random.nextBoolean())) {
        line("", "---");
      }
      String before = list ? "- " : "";
      object("n" + i, before, list ? "  " : "");
    }
    String text = out.toString();
    return random.nextInt(4) == 0 ? text.substring(0, text.length() - eol.length()) : text;
  }

  private void object(String name, String first, String indent) {
    out.append(first).append("apiVersion: cilium.io/v2").append(eol);
    line(indent, "kind: CiliumNode");
    line(indent, "metadata:");
    line(indent + unit, "name: " + name + comment());
    line(indent + unit, "annotations: {note: \"" + mark() + "\"}");
    List<Runnable> sections = new ArrayList<>();
    sections.add(() -> section(indent, "spec", () -> spec(indent + unit)));
    if (random.nextInt(4) > 0) {
      sections.add(() -> section(indent, "status", () -> status(indent + unit)));
    }
    if (random.nextInt(3) == 0) {
      java.util.Collections.reverse(sections);
    }
    sections.forEach(Runnable::run);
    if (random.nextInt(3) == 0) {
      line(indent, "x-last: " + mark());
    }
  }

  private void section(String indent, String key, Runnable inside) {
    noise(indent);
    if (random.nextInt(5) == 0) {
      line(indent, key + ":" + empty());
    } else {
      line(indent, key + ":" + comment());
      inside.run();
    }
  }

  private String empty() {
    return switch (random.nextInt(4)) {
      case 0 -> " {}" + comment();
      case 1 -> " null" + comment();
      case 2 -> " { }";
      default -> "";
    };
  }

  private void spec(String indent) {
    line(indent, "instance-id: i-" + mark());
    if (random.nextInt(3) == 0) {
      line(indent, "x-text: |" + (random.nextBoolean() ? "" : "-"));
      line(indent + unit, "a block " + mark());
      out.append(eol);
      line(indent + unit, "of text " + mark());
    }
    section(
        indent,
        "ipam",
        () -> {
          if (random.nextBoolean()) {
            line(indent + unit, "min-allocate: 3" + comment());
          }
          if (random.nextBoolean()) {
            line(indent + unit, "pre-allocate: " + random.nextInt(9));
          }
          table(indent + unit, "pool");
          if (random.nextBoolean()) {
            line(indent + unit, "x-inner: [1, '" + mark() + "', {a: b}]");
          }
        });
    if (random.nextBoolean()) {
      line(indent, "health: {}");
    }
  }

  private void table(String indent, String key) {
    int size = random.nextInt(5);
    if (size == 0) {
      if (random.nextBoolean()) {
        line(indent, key + ":" + empty());
      }
      return;
    }
    int style = random.nextInt(4);
    if (style == 0) {
      List<String> entries = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        entries.add(quoted("10.0.0." + i) + ": {resource: eni-1}");
      }
      line(indent, key + ": {" + String.join(", ", entries) + "}");
      return;
    }
    line(indent, key + ":");
    for (int i = 0; i < size; i++) {
      noise(indent + unit);
      String address = quoted("10.0.0." + i);
      if (style == 1) {
        line(indent + unit, address + ": { resource: eni-1 }");
      } else {
        line(indent + unit, address + ":");
        line(indent + unit + unit, "resource: " + quoted("eni-1"));
      }
    }
  }

  private void status(String indent) {
    section(
        indent,
        "ipam",
        () -> {
          line(indent + unit, "operator-status: {}");
          if (random.nextBoolean()) {
            line(indent + unit, "release-ips:");
            line(indent + unit + unit, quoted("10.0.0.7") + ": " + quoted("do-not-release"));
          }
          if (random.nextBoolean()) {
            line(indent + unit, "used:");
            line(indent + unit + unit, "10.0.0.1:" + comment());
            line(indent + unit + unit + unit, "owner: " + mark());
          }
        });
    if (random.nextBoolean()) {
      line(indent, "eni:");
      line(indent + unit, "enis:");
      String eni = indent + unit + unit;
      line(eni, "eni-1:");
      line(eni + unit, "id: eni-1");
      if (random.nextBoolean()) {
        line(eni + unit, "addresses: [10.0.0.1, \"10.0.0.2\" ]");
      } else {
        line(eni + unit, "addresses:");
        line(eni + unit + dash, "- 10.0.0.1");
        line(eni + unit + dash, "- '10.0.0.2'");
      }
    }
  }

  private String quoted(String text) {
    return switch (random.nextInt(3)) {
      case 0 -> "\"" + text + "\"";
      case 1 -> "'" + text + "'";
      default -> text;
    };
  }

  private void noise(String indent) {
    if (random.nextInt(4) == 0) {
      out.append(eol);
    }
    if (random.nextInt(4) == 0) {
      line(random.nextBoolean() ? indent : "", "# a comment " + mark());
    }
  }

  private String comment() {
    return random.nextInt(3) == 0 ? "  # behind " + mark() : "";
  }

  private String mark() {
    return "<m" + marks++ + ">";
  }

  private void line(String indent, String text) {
    out.append(indent).append(text).append(eol);
  }
}
