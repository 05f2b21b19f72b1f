package io.tidemark.emulator.ec2;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.action.Actions;
import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.core.SdkField;
import software.amazon.awssdk.core.protocol.MarshallingType;
import software.amazon.awssdk.core.traits.ListTrait;

@DisplayName("Every action takes, ignores or refuses exactly the parameters of EC2's service model")
class ShapesTest {
  static Stream<String> actions() {
    return Actions.all().stream().map(Action::name);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("actions")
  void parameters(String name) {
    Action action =
        Actions.all().stream().filter(a -> a.name().equals(name)).findFirst().orElseThrow();
    check(name, action.shape(), ServiceModel.request(name));
  }

  @Test
  @DisplayName("The registry is in order, so that a missing action is easily seen")
  void order() {
    List<String> names = actions().toList();
    assertThat(names).isSorted().doesNotHaveDuplicates();
  }

  private static void check(String path, ParameterShape shape, Map<String, SdkField<?>> known) {
    assertThat(shape.fields().stream().map(Field::name))
        .as(path)
        .containsExactlyInAnyOrderElementsOf(known.keySet());
    for (Field field : shape.fields()) {
      if (field.kind() != Field.Kind.IGNORED && field.kind() != Field.Kind.UNSUPPORTED) {
        check(path + "." + field.name(), field, requireNonNull(known.get(field.name())));
      }
    }
  }

  private static void check(String path, Field field, SdkField<?> known) {
    boolean isList = known.marshallingType() == MarshallingType.LIST;
    assertThat(field.list()).as(path + " is a list").isEqualTo(isList);
    SdkField<?> one = isList ? known.getTrait(ListTrait.class).memberFieldInfo() : known;
    assertThat(field.kind()).as(path).isEqualTo(kind(one.marshallingType()));
    if (field.kind() == Field.Kind.STRUCTURE) {
      check(
          path,
          field.inner(),
          ServiceModel.byName(ServiceModel.members(known), SdkField::locationName));
    }
  }

  private static Field.Kind kind(MarshallingType<?> type) {
    if (type == MarshallingType.SDK_POJO) {
      return Field.Kind.STRUCTURE;
    }
    if (type == MarshallingType.BOOLEAN) {
      return Field.Kind.FLAG;
    }
    return type == MarshallingType.INTEGER ? Field.Kind.INTEGER : Field.Kind.TEXT;
  }
}
