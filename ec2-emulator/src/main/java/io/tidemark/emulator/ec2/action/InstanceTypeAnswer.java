package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.types.InstanceType;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Writes instance types as the service model's InstanceTypeInfo structure. */
final class InstanceTypeAnswer {
  private InstanceTypeAnswer() {}

  /** Empty for bare metal, where EC2 leaves it out. */
  static Optional<String> hypervisor(InstanceType type) {
    return Optional.of(type.hypervisor()).filter(text -> !text.isEmpty());
  }

  static Answer of(InstanceType type) {
    return Answer.builder()
        .text("instanceType", type.name())
        .flag("currentGeneration", type.hardware().currentGeneration())
        .flag("bareMetal", type.bareMetal())
        .text("hypervisor", hypervisor(type))
        .nested(
            "processorInfo",
            Answer.builder()
                .texts("supportedArchitectures", type.hardware().architectures())
                .build())
        .nested(
            "vCpuInfo",
            Answer.builder()
                .number("defaultVCpus", type.hardware().vcpus())
                .number("defaultCores", type.hardware().cores())
                .number("defaultThreadsPerCore", type.hardware().threadsPerCore())
                .build())
        .nested(
            "memoryInfo", Answer.builder().number("sizeInMiB", type.hardware().memoryMib()).build())
        .nested("networkInfo", network(type))
        .build();
  }

  private static Answer network(InstanceType type) {
    List<Integer> cards = IntStream.range(0, type.cards().size()).boxed().toList();
    Answer.Builder answer =
        Answer.builder()
            .text("networkPerformance", type.hardware().networkPerformance())
            .number("maximumNetworkInterfaces", type.maximumInterfaces())
            .number("maximumNetworkCards", type.cards().size())
            .number("defaultNetworkCardIndex", type.defaultCard())
            .items("networkCards", cards, index -> card(type, index))
            .number("ipv4AddressesPerInterface", type.ipv4PerInterface())
            .number("ipv6AddressesPerInterface", type.ipv6PerInterface())
            .flag("ipv6Supported", type.ipv6PerInterface() > 0)
            .text("enaSupport", type.hardware().ena())
            .flag("efaSupported", type.hardware().efaInterfaces() > 0);
    if (type.hardware().efaInterfaces() > 0) {
      answer.nested(
          "efaInfo",
          Answer.builder().number("maximumEfaInterfaces", type.hardware().efaInterfaces()).build());
    }
    return answer.build();
  }

  private static Answer card(InstanceType type, int index) {
    return Answer.builder()
        .number("networkCardIndex", index)
        .text("networkPerformance", type.cards().get(index).networkPerformance())
        .number("maximumNetworkInterfaces", type.cards().get(index).maximumInterfaces())
        .build();
  }
}
