package io.tidemark.provider.azure.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.kit.scenario.Names;
import io.tidemark.provider.azure.ipam.ConfigurationWrite.Target;
import io.tidemark.provider.azure.network.ResourceId;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

@DisplayName("One write, step by step (provider-azure 13.4)")
class ConfigurationWriteTest {
  private final AzureWorld world = AzureWorld.lasting(Duration.ofSeconds(20));

  @TestFactory
  Stream<DynamicTest> stories() {
    return AzureStory.all(
        "cloud operation: 20s; ",
        """
        Z13-Z19 one read, one write, a poll when it should be done, one read that verifies
          put 8; seen 9; azure 8; writes 1; asked Operations.Get 3
        1.3 a name that the interface has already is not given a second time
          names two 2; put two; put two:1 refused nameTaken; writes 1
        AZ-B33 a removal is not complete while a part of it is still shown
          UNIFORM: names three 3; put three; show three@2 three@0; drop three:2 incomplete
        Z19 an addition is not complete while an address is not shown
          answers "privateIPAddress": *"[^"]*" => "privateIPAddress":""; put 1 incomplete
        AZ-B33 nothing is sent for what a virtual machine's interface has no more
          MACHINE: names never 1; drop never; writes 0
        AZ-N24 a repetition of which another write has done all writes nothing more
          cloud; names three 3; before beginPut three; put three; azure 3; writes 2
        AZ-N24 a repetition writes what it lacks of its names, and nothing twice
          cloud; names three 3; before beginPut three:2; put three; azure 3; writes 3
        AZ-N24 nor is a removal done of which somebody else has done a part
          cloud; names three 3; put three; before beginDrop three:1; drop three:2; showsOnly three@2
        AZ-N49 what a failed write left incomplete comes with the next one, nothing twice
          MACHINE: fault fail-operation write times=1; put 5 refused; states failed; azure 5; put 3;
          done 5; states succeeded; azure 5; put 1; done 1; azure 6
        AZ-N49 where a single is incomplete and blocks are wanted, it comes alone
          MACHINE: fault fail-operation write times=1; names one 1; put one refused;
          block Tidemark-b; put Tidemark-b; done 1; showsOnly one; states succeeded
        AZ-N31 an interface that was taken from its machine gets no write
          MACHINE: detach worker-a-eth0; put 1 refused detached; writes 0
        AZ-N31 an interface that another machine has by now gets no write
          MACHINE: answers virtualMachines/worker-a" => virtualMachines/worker-b";
          put 1 refused detached; writes 0
        AZ-B34 an interface that its resource does not have gets no write
          put 1 other refused interfaceUnknown; writes 0
        AZ-N21 what a failed write left unseen comes with the next one, nothing twice
          UNIFORM: fault fail-operation write times=1; fault fail listOfInstance; put 5 unknown;
          noFault; put 7; done 7; azure 7
        AZ-N21 what a failed write is seen to have added is no ghost when a list lags
          UNIFORM: names three 3; show three@0 hidden "status": *"Succeeded" => "status":"Failed";
          put three incomplete; show three@1 hidden; put 1 ?; answers asTheyAre; shows three@1;
          shows three@2
        Z18 a removal that is seen to be done is done, however its operation ended
          names two 2; put two; answers "status": *"Succeeded" => "status":"Failed"; drop two:1;
          showsOnly two@1
        AZ-N21 a removal does not wait for what a list does not show yet, and leaves it
          UNIFORM: names two 2; put two; show two@1 hidden; drop two:1; answers asTheyAre;
          showsOnly two@1
        AZ-N21 what others have is no ghost, however long no list shows it
          UNIFORM: named theirs; put theirs; show theirs hidden; put 1; 2m; put 1;
          answers asTheyAre; azure 3; shows theirs
        AZ-N21 a failure that the provisioning state alone tells leaves ghosts, too
          UNIFORM: cloud operation: 20s, announcement: none; fault fail-operation write times=1;
          put 5 refused operationFailed; put 3; azure 3
        AZ-N21 so does one that a Location tells
          UNIFORM: cloud operation: 20s, announcement: location; fault fail-operation write times=1;
          put 5 refused operationFailed; put 3; azure 3
        AZ-N21 a removal whose operation failed can be done again
          UNIFORM: names three 3; put three; fault fail-operation write times=1;
          drop three:1 unknown; azure 3; noFault; drop three:1; azure 2
        AZ-N21 what a failed removal left is kept by the next write: pods may use it
          UNIFORM: names three 3; put three; fault fail-operation write times=1;
          drop three:1 unknown; azure 3; noFault; remember; put 1 known 1; azure 4; kept;
          drop three:1; azure 3
        AZ-N21 so it is where four configurations are known
          UNIFORM: names three 3; put three; fault fail-operation write times=1;
          drop three:1 unknown; azure 3; noFault; remember; put 1 known 4; azure 4; kept;
          drop three:1; azure 3
        AZ-N21 nothing is written while what a failed removal left is not shown, or theirs
          UNIFORM: names three 3; put three; fault fail-operation write times=1;
          drop three:1 unknown; azure 3; noFault; remember; mark writes; fault fail listOfInstance;
          put 1 refused; noFault; show three@0 hidden; put 1 refused modelDiffers;
          answers asTheyAre; writes +0; kept; azure 3
        AZ-N16 fewer are sent where there are fewer places, none where there is none
          UNIFORM: put 300 ?; seen 256; azure 255; put 1 refused configurationLimit; writes 1\
        """);
  }

  @TestFactory
  Stream<DynamicTest> announcements() {
    return Stream.of("both", "async-operation", "location", "none")
        .flatMap(
            how ->
                AzureStory.all(
                    "cloud operation: 20s, announcement: " + how + "; ",
                    "Z17 a write is waited for however its operation is named: "
                        + how
                        + "\n put 2; azure 2"));
  }

  @TestFactory
  Stream<DynamicTest> busy() {
    return Stream.of(ModelOptions.Busy.values())
        .map(Names::of)
        .flatMap(
            how ->
                AzureStory.all(
                    "cloud operation: 20s, busy: " + how + "; ",
                    "AZ-N27 a resource that is being written is left alone: "
                        + how
                        + "\n UNIFORM: names one 1; beginPut one; named Tidemark-second;"
                        + " put Tidemark-second refused busy; endsPut; writes 1"));
  }

  @Test
  @DisplayName("AZ-N16 the places of an instance are those of all its interfaces")
  void placesOfAllInterfaces() {
    Landscape land = new Landscape(world);
    land.addSubnet("s1", "10.1.0.0/22");
    land.addSet("two", "s1", "eth0", "eth1");
    String instance = land.addInstance("two", 0);
    Target first = interfaceOf(instance, "eth0");
    Target second = interfaceOf(instance, "eth1");
    assertThat(world.add(first, 200).answer().orElseThrow().complete()).isTrue();
    assertThat(world.add(second, 100).answer()).isPresent();
    assertThat(world.added(second)).isEqualTo(256 - 201 - 1);
    assertThat(world.add(second, 1).refusal().orElseThrow().condition())
        .isEqualTo("configurationLimit");
  }

  private static Target interfaceOf(String instance, String name) {
    return new Target(ResourceId.of(instance + "/networkInterfaces/" + name), name, 1);
  }
}
