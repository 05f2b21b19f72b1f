package io.tidemark.it;

import io.tidemark.architecture.ArchitectureRules;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The shape of all modules together")
class ArchitectureTest extends ArchitectureRules {}
