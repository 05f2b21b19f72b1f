package io.tidemark.emulator.ec2;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.protocol.Answer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkField;
import software.amazon.awssdk.core.SdkPojo;
import software.amazon.awssdk.core.protocol.MarshallingType;
import software.amazon.awssdk.core.traits.ListTrait;

/** EC2's service model as the AWS SDK for Java was generated from it: names of all members. */
final class ServiceModel {
  private static final String MODEL = "software.amazon.awssdk.services.ec2.model.";

  private static final Map<String, List<SdkField<?>>> RESPONSES = new ConcurrentHashMap<>();

  private ServiceModel() {}

  /** The parameters of an action by their names on the wire. */
  static Map<String, SdkField<?>> request(String action) {
    return byName(fields(action + "Request"), SdkField::locationName);
  }

  /** The members of a structure, or of the elements of a list of structures. */
  static List<SdkField<?>> members(SdkField<?> field) {
    SdkField<?> structure =
        field.marshallingType() == MarshallingType.LIST
            ? field.getTrait(ListTrait.class).memberFieldInfo()
            : field;
    return structure.marshallingType() == MarshallingType.SDK_POJO
        ? structure.constructor().get().sdkFields()
        : List.of();
  }

  static Map<String, SdkField<?>> byName(
      List<SdkField<?>> fields, Function<SdkField<?>, String> name) {
    return fields.stream().collect(Collectors.toMap(name, field -> field));
  }

  /**
   * Fails when the answer has a member that the service model does not know, or of another form.
   */
  static void check(String action, Answer answer) {
    check(
        action, answer, RESPONSES.computeIfAbsent(action, name -> fields(name + "Response")), true);
  }

  private static void check(
      String path, Answer answer, List<SdkField<?>> fields, boolean isTopLevel) {
    Map<String, SdkField<?>> known = byName(fields, SdkField::unmarshallLocationName);
    answer
        .members()
        .forEach(
            (name, value) -> {
              if (!isTopLevel || !name.equals("return") || known.containsKey(name)) {
                checkMember(path + "." + name, value, known.get(name));
              }
            });
  }

  private static void checkMember(String path, Object value, @Nullable SdkField<?> field) {
    if (field == null) {
      throw new AssertionError(path + " is not in the service model");
    }
    boolean fits =
        value instanceof String
            ? field.marshallingType() != MarshallingType.LIST
                && field.marshallingType() != MarshallingType.SDK_POJO
            : value instanceof Answer
                ? field.marshallingType() == MarshallingType.SDK_POJO
                : field.marshallingType() == MarshallingType.LIST;
    if (!fits) {
      throw new AssertionError(path + " is a " + field.marshallingType() + " in the model");
    }
    if (value instanceof String text) {
      read(text, field.marshallingType());
    } else if (value instanceof Answer nested) {
      check(path, nested, members(field), false);
    } else if (value instanceof List<?> items) {
      items.stream()
          .filter(Answer.class::isInstance)
          .forEach(item -> check(path, (Answer) item, members(field), false));
    }
  }

  /** As the SDK reads it. */
  private static void read(String text, MarshallingType<?> type) {
    if (type == MarshallingType.INTEGER || type == MarshallingType.LONG) {
      Long.parseLong(text);
    } else if (type == MarshallingType.INSTANT) {
      Instant.parse(text);
    } else if (type == MarshallingType.BOOLEAN) {
      assertThat(text).isIn("true", "false");
    }
  }

  private static List<SdkField<?>> fields(String type) {
    try {
      Object builder = Class.forName(MODEL + type).getMethod("builder").invoke(null);
      return ((SdkPojo) builder).sdkFields();
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(type + " is not in the SDK", e);
    }
  }
}
