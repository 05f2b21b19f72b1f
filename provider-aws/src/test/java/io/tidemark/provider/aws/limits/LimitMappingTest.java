package io.tidemark.provider.aws.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.provider.aws.ec2.InstanceType;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Limits of instance types in the settings")
class LimitMappingTest {
  @Test
  @DisplayName("AWS-54 several types, of which one may be unknown to everybody else")
  void types() {
    assertThat(LimitMapping.parse("a2.custom2=4,5,6,a1.medium = 2,4,100"))
        .containsEntry("a2.custom2", new InstanceType("a2.custom2", 4, 4, 5, 6, "", false))
        .containsEntry("a1.medium", new InstanceType("a1.medium", 2, 2, 4, 100, "", false))
        .hasSize(2);
  }

  @Test
  @DisplayName("AWS-55 blanks do not matter; hypervisor and metal may follow")
  void forms() {
    assertThat(LimitMapping.limits("x", "4,5 ,6"))
        .isEqualTo(new InstanceType("x", 4, 4, 5, 6, "", false));
    assertThat(LimitMapping.limits("x", "4,5,6,nitro"))
        .isEqualTo(new InstanceType("x", 4, 4, 5, 6, "nitro", false));
    assertThat(LimitMapping.limits("x", "4,5,0,,metal"))
        .isEqualTo(new InstanceType("x", 4, 4, 5, 0, "", true));
    assertThat(LimitMapping.parse("x=4,5,6,xen,y=1,2,3,nitro,metal")).hasSize(2);
  }

  @Test
  @DisplayName("AWS-54 a map of types has the same limits; blanks around a name do not matter")
  void map() {
    assertThat(LimitMapping.of(Map.of(" a1.medium ", "2,4,100", "a2.custom2", "4,5,6")))
        .isEqualTo(LimitMapping.parse("a2.custom2=4,5,6,a1.medium=2,4,100"));
    assertThatThrownBy(() -> LimitMapping.of(Map.of("a", "4,5,6", " a", "4,5,6")))
        .hasMessageContaining("a is given twice");
    assertThatThrownBy(() -> LimitMapping.of(Map.of("a", "4,5")))
        .hasMessageContaining("invalid limit value '4,5' of a");
  }

  @DisplayName("AWS-55 anything else is an invalid limit value")
  @ParameterizedTest(name = "AWS-55 [{0}]")
  @ValueSource(
      strings = {
        "4,5,a",
        "4,5",
        "45",
        ",",
        "",
        "0,5,6",
        "4,0,6",
        "-1,5,6",
        "4,5,6,kvm",
        "4,5,6,nitro,no",
        "4,5,6,nitro,metal,more",
        "4,5,99999999999"
      })
  void invalid(String text) {
    assertThatThrownBy(() -> LimitMapping.limits("x", text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("invalid limit value")
        .hasMessageContaining("x");
  }

  @DisplayName("A part without a type, or a type given twice, is refused")
  @ParameterizedTest(name = "[{0}]")
  @ValueSource(strings = {"4,5,6", "=4,5,6", "a=1,2,3,a=1,2,3", ""})
  void nameless(String text) {
    assertThatThrownBy(() -> LimitMapping.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
