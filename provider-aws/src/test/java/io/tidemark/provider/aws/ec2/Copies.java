package io.tidemark.provider.aws.ec2;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;

/** Copies of records in which a test changes something. */
public final class Copies {
  private Copies() {}

  /** The record with other values of the components that are named. */
  public static <T extends Record> T with(T record, Map<String, ?> changes) {
    Set<String> left = new HashSet<>(changes.keySet());
    T copy =
        rebuilt(
            record,
            (name, value) -> left.remove(name) ? Objects.requireNonNull(changes.get(name)) : value);
    if (!left.isEmpty()) {
      throw new AssertionError(record.getClass() + " has no " + left);
    }
    return copy;
  }

  public static <T extends Record> T with(T record, String component, Object value) {
    return with(record, Map.of(component, value));
  }

  /** The record with each component, by its name, as {@code changed} makes it. */
  @SuppressWarnings("unchecked") // the same class
  public static <T extends Record> T rebuilt(T record, BiFunction<String, Object, Object> changed) {
    RecordComponent[] components = record.getClass().getRecordComponents();
    try {
      Class<?>[] types = new Class<?>[components.length];
      Object[] values = new Object[components.length];
      for (int i = 0; i < components.length; i++) {
        types[i] = components[i].getType();
        values[i] = changed.apply(components[i].getName(), value(components[i], record));
      }
      Constructor<?> constructor = record.getClass().getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return (T) constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  private static Object value(RecordComponent component, Record of)
      throws ReflectiveOperationException {
    component.getAccessor().setAccessible(true);
    return component.getAccessor().invoke(of);
  }
}
