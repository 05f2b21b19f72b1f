package io.tidemark.emulator.ec2.protocol;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parameters that an action, or a structure inside one, takes. Reads a {@link QueryForm} into
 * {@link Parameters} and refuses as EC2 does: {@code UnknownParameter}, {@code MissingParameter},
 * {@code InvalidParameterValue}; and {@code UnsupportedOperation} for a parameter that EC2 has and
 * the emulator has not. Immutable.
 */
public final class ParameterShape {
  /** A structure without members. */
  static final ParameterShape EMPTY = new ParameterShape(Map.of());

  private static final int INDEX_MAX = 10_000;

  /** One member, or the end of a structure. */
  private static final Pattern MEMBER =
      Pattern.compile("\\G\\s*(?:([-~]?)(\\w+)((?::int|:flag)?)((?:\\[])?)(!?)(\\{?)|\\})\\s*");

  private final Map<String, Field> fields;

  private ParameterShape(Map<String, Field> fields) {
    this.fields = fields;
  }

  /**
   * A shape with these members, parted by blanks: {@code Name} is a text, {@code Name:int} a
   * number, {@code Name:flag} a flag and {@code Name{...}} a structure; {@code []} makes a list of
   * it, {@code !} after that makes it mandatory. {@code -Name} is a parameter of EC2 that the
   * emulator refuses, {@code ~Name} one that it ignores, whatever is below these names.
   *
   * @throws IllegalArgumentException when two members have one name, or the text is not of this
   *     form
   */
  public static ParameterShape of(String members) {
    Matcher matcher = MEMBER.matcher(members);
    Map<String, Field> fields = read(matcher, false);
    if (!matcher.hitEnd()) {
      throw new IllegalArgumentException("not members of a shape: " + members);
    }
    return new ParameterShape(fields);
  }

  private static Map<String, Field> read(Matcher members, boolean inside) {
    Map<String, Field> fields = new LinkedHashMap<>();
    boolean found = members.find();
    while (found && members.group(2) != null) {
      String name = members.group(2);
      boolean list = !members.group(4).isEmpty();
      boolean required = !members.group(5).isEmpty();
      boolean structure = !members.group(6).isEmpty();
      Field.Kind kind =
          structure ? Field.Kind.STRUCTURE : kind(members.group(1) + members.group(3));
      ParameterShape inner = structure ? new ParameterShape(read(members, true)) : EMPTY;
      if (fields.put(name, new Field(name, kind, list, required, inner)) != null) {
        throw new IllegalArgumentException("the member " + name + " is declared twice");
      }
      found = members.find();
    }
    if (found != inside) {
      throw new IllegalArgumentException("a brace is missing, or one too much");
    }
    return Collections.unmodifiableMap(fields);
  }

  private static Field.Kind kind(String marks) {
    return switch (marks) {
      case "" -> Field.Kind.TEXT;
      case ":int" -> Field.Kind.INTEGER;
      case ":flag" -> Field.Kind.FLAG;
      case "~" -> Field.Kind.IGNORED;
      case "-" -> Field.Kind.UNSUPPORTED;
      default -> throw new IllegalArgumentException("no kind of parameter: " + marks);
    };
  }

  public Collection<Field> fields() {
    return fields.values();
  }

  /**
   * Reads the parameters of a request; those of the protocol itself are passed over.
   *
   * @throws Ec2Refusal when the request does not fit this shape
   */
  public Parameters read(QueryForm form) {
    ParameterNode root = new ParameterNode();
    form.parameters()
        .forEach(
            (name, value) -> {
              if (!isProtocol(name)) {
                place(root, this, name, 0, value);
              }
            });
    requireAll(root, this, "");
    return new Parameters(root);
  }

  private static boolean isProtocol(String name) {
    return name.equals("Action")
        || name.equals("Version")
        || name.startsWith("X-Amz-")
        || name.startsWith("AWSAccessKeyId")
        || name.equals("Signature")
        || name.equals("SignatureMethod")
        || name.equals("SignatureVersion")
        || name.equals("Timestamp")
        || name.equals("Expires");
  }

  /** Puts the value where its name, from {@code at} on, leads. */
  private static void place(
      ParameterNode node, ParameterShape shape, String name, int at, String value) {
    int end = segmentEnd(name, at);
    @Nullable Field field = shape.fields.get(name.substring(at, end));
    if (field == null) {
      throw unknown(name);
    }
    if (field.kind() == Field.Kind.IGNORED) {
      return;
    }
    if (field.kind() == Field.Kind.UNSUPPORTED) {
      throw Ec2Refusal.of(
          "UnsupportedOperation", "The emulator does not support the parameter " + name);
    }
    if (!field.list()) {
      placeOne(node.member(field.name()), field, name, end, value);
      return;
    }
    int indexEnd = end < name.length() ? segmentEnd(name, end + 1) : end;
    int index = end < name.length() ? index(name.substring(end + 1, indexEnd)) : -1;
    if (index < 0) {
      throw unknown(name);
    }
    placeOne(node.member(field.name()).element(index), field, name, indexEnd, value);
  }

  private static void placeOne(
      ParameterNode node, Field field, String name, int end, String value) {
    if (field.kind() == Field.Kind.STRUCTURE) {
      if (end >= name.length()) {
        throw unknown(name);
      }
      place(node, field.inner(), name, end + 1, value);
      return;
    }
    if (end < name.length()) {
      throw unknown(name);
    }
    node.set(checked(field, name, value));
  }

  private static String checked(Field field, String name, String value) {
    boolean fits =
        switch (field.kind()) {
          case INTEGER -> DecimalNumber.integer(value).isPresent();
          case FLAG -> value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false");
          default -> true;
        };
    if (!fits) {
      throw Ec2Refusal.of(
          "InvalidParameterValue",
          "Invalid value '"
              + value
              + "' for "
              + Field.spoken(name)
              + ". It must be "
              + (field.kind() == Field.Kind.FLAG ? "true or false" : "a number"));
    }
    return value;
  }

  private static void requireAll(ParameterNode node, ParameterShape shape, String path) {
    for (Field field : shape.fields()) {
      @Nullable ParameterNode child = node.find(field.name());
      if (child == null) {
        if (field.required()) {
          throw missing(path + Field.spoken(field.name()));
        }
      } else if (field.list()) {
        child.elements().forEach((i, e) -> requireAll(e, field.inner(), inside(path, field, i)));
      } else {
        requireAll(child, field.inner(), path + Field.spoken(field.name()) + ".");
      }
    }
  }

  private static String inside(String path, Field field, int index) {
    return path + Field.spoken(field.name()) + "." + index + ".";
  }

  /** A request without a parameter that it needs; also for needs that no shape can express. */
  public static Ec2Refusal missing(String parameter) {
    return Ec2Refusal.of(
        "MissingParameter",
        "The request must contain the parameter " + Objects.requireNonNull(parameter));
  }

  private static Ec2Refusal unknown(String name) {
    return Ec2Refusal.of("UnknownParameter", "The parameter " + name + " is not recognized");
  }

  private static int segmentEnd(String name, int at) {
    int dot = name.indexOf('.', at);
    return dot < 0 ? name.length() : dot;
  }

  private static int index(String text) {
    int index = DecimalNumber.integer(text).orElse(-1);
    return index > INDEX_MAX ? -1 : index;
  }
}
