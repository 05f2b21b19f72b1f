package io.tidemark.emulator.ec2.protocol;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The parameters that an action, or a structure inside one, takes. Reads a {@link QueryForm} into
 * {@link Parameters} and refuses as EC2 does: {@code UnknownParameter}, {@code MissingParameter},
 * {@code InvalidParameterValue}; and {@code UnsupportedOperation} for a parameter that EC2 has and
 * the emulator has not. Immutable.
 */
public final class ParameterShape {
  /** A structure without members. */
  public static final ParameterShape EMPTY = new ParameterShape(Map.of());

  private static final int INDEX_MAX = 10_000;

  private final Map<String, Field> fields;

  private ParameterShape(Map<String, Field> fields) {
    this.fields = fields;
  }

  /**
   * A shape with these members.
   *
   * @throws IllegalArgumentException when two have one name
   */
  public static ParameterShape of(Field... members) {
    Map<String, Field> fields = new LinkedHashMap<>();
    Arrays.stream(members).forEach(field -> add(fields, field));
    return new ParameterShape(Collections.unmodifiableMap(fields));
  }

  /** This shape and more members. */
  public ParameterShape plus(Field... members) {
    Map<String, Field> all = new LinkedHashMap<>(fields);
    Arrays.stream(members).forEach(field -> add(all, field));
    return new ParameterShape(Collections.unmodifiableMap(all));
  }

  public Collection<Field> fields() {
    return fields.values();
  }

  /**
   * Reads the parameters of a request; those of the protocol itself are passed over.
   *
   * @throws Refusal when the request does not fit this shape
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

  private static void add(Map<String, Field> fields, Field field) {
    if (fields.put(field.name(), field) != null) {
      throw new IllegalArgumentException("the member " + field.name() + " is declared twice");
    }
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
      throw Refusal.of(
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
      throw Refusal.of(
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
  public static Refusal missing(String parameter) {
    return Refusal.of(
        "MissingParameter",
        "The request must contain the parameter " + Objects.requireNonNull(parameter));
  }

  private static Refusal unknown(String name) {
    return Refusal.of("UnknownParameter", "The parameter " + name + " is not recognized");
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
