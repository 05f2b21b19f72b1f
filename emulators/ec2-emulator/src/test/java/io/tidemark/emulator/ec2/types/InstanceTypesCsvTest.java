package io.tidemark.emulator.ec2.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A file of instance types")
class InstanceTypesCsvTest {
  private static final String COLUMNS = String.join(",", InstanceTypesCsv.COLUMNS);
  private static final String GOOD =
      "p4d.24xlarge,nitro,false,true,96,48,2,1179648,x86_64,4x 100 Gigabit,100 Gigabit,"
          + "15 15 15 15,0,50,50,required,4";

  @Test
  @DisplayName("is read with its comments left out")
  void good() {
    Ec2InstanceTypes types =
        Ec2InstanceTypes.parse(List.of("# from somewhere", COLUMNS, "# x", GOOD));
    assertThat(types.all()).hasSize(1);
    assertThat(types.find("p4d.24xlarge").orElseThrow().cards())
        .hasSize(4)
        .containsOnly(new Ec2InstanceType.Card(15, "100 Gigabit"));
  }

  @ParameterizedTest(name = "{0} -> {1}: {2}")
  @DisplayName("is refused with line, column and value of what is wrong")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
      p4d.24xlarge   | p4d        | type is "p4d", not family and size with a dot
      nitro          | kvm        | hypervisor is "kvm", not nitro or xen, and none on bare metal
      ,nitro,        | ,,         | hypervisor is "", not nitro or xen, and none on bare metal
      nitro,false    | nitro,true | hypervisor is "nitro", not nitro or xen, and none on bare metal
      nitro,false    | nitro,no   | bare_metal is "no", not true or false
      false,true     | false,1    | current_generation is "1", not true or false
      true,96        | true,0     | vcpus is "0", not at least 1
      96,48          | 96,-48     | cores is "-48", not a count
      48,2           | 48,0       | threads_per_core is "0", not at least 1
      1179648        | 9999999999 | memory_mib is "9999999999", not a count
      x86_64         | ' '        | architectures is "", not at least one
      15 15 15 15    | ' '        | card_interfaces is "", not at least one card
      15 15 15 15    | 15 x       | card_interfaces is "x", not a count
      15 15 15 15    | 15 0       | card_interfaces is "0", not at least 1
      15 15 15 15,0  | 15 15,2    | default_card is "2", not the index of one of the 2 cards
      50,50          | 0,50       | ipv4_per_interface is "0", not at least 1
      50,50          | 50,''      | ipv6_per_interface is "''", not a count
      required       | needed     | ena is "needed", not required, supported or unsupported
      required,4     | required,  | efa_interfaces is "", not a count
      """)
  void badCell(String part, String wrong, String message) {
    assertThat(GOOD).contains(part);
    String bad = GOOD.replace(part, wrong);
    assertThatThrownBy(() -> Ec2InstanceTypes.parse(List.of("# a comment", COLUMNS, bad)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("line 3: " + message);
  }

  @Test
  @DisplayName("is refused when a line has a cell too many")
  void cellTooMany() {
    assertThatThrownBy(() -> Ec2InstanceTypes.parse(List.of(COLUMNS, GOOD + ",")))
        .hasMessage("line 2: 18 cells, not 17: " + GOOD + ",");
  }

  @Test
  @DisplayName("is refused when a type stands in it twice")
  void twice() {
    assertThatThrownBy(() -> Ec2InstanceTypes.parse(List.of(COLUMNS, GOOD, GOOD)))
        .hasMessage("line 3: type is \"p4d.24xlarge\", not a type of its own");
  }

  @Test
  @DisplayName("is refused when its columns are others")
  void otherColumns() {
    assertThatThrownBy(() -> Ec2InstanceTypes.parse(List.of("# x", GOOD)))
        .hasMessageStartingWith("line 2: the columns are \"p4d.24xlarge,nitro");
  }

  @ParameterizedTest(name = "{0} lines")
  @DisplayName("is refused when it holds no type")
  @CsvSource({"0", "1"})
  void empty(int lines) {
    assertThatThrownBy(() -> Ec2InstanceTypes.parse(List.of(COLUMNS).subList(0, lines)))
        .hasMessage("no instance type in " + lines + " lines");
  }
}
