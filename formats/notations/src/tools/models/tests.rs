use super::*;
use std::collections::BTreeSet;

/// The family of a model, or what its error says.
fn of(name: &str) -> Result<&'static str, String> {
    let family = super::super::recognize::of(name)
        .map_err(|error| format!("{}\n{}", error.message, error.help.unwrap_or_default()))?;
    Ok(builtin::named(&family.name).expect("built in").name.as_str())
}

#[test]
fn the_table_is_consistent() {
    assert_eq!(table().date.len(), "2026-11-28".len());
    for family in builtin::families() {
        let form = &family.forms[0];
        let text = [&form.open, &form.written()[0].call, &form.close].map(String::as_str).concat();
        let missing = family.tokens.iter().find(|token| {
            !text.contains(*token)
                && family.messages.is_none()
                && !["glm4.5", "mistral-v11", "solar-open2"].contains(&family.name.as_str())
        });
        assert_eq!(missing, None, "{}", family.name);
    }
    let mut names = BTreeSet::new();
    for model in &table().models {
        for family in &model.families {
            assert!(builtin::named(family).is_some(), "{family}");
        }
        assert_eq!(model.families.len() == 1, model.writes.is_empty(), "{:?}", model.names);
        for name in &model.names {
            assert!(names.insert(name), "{name} is there twice");
            assert_eq!(*name, name.to_lowercase());
            let found = find(&name.replace(' ', "-")).map(|found| &found.names);
            assert_eq!(found, Some(&model.names), "{name}");
        }
    }
}

/// Names as people write them, and the family that the published chat template of the model writes.
#[test]
fn known_models() {
    for (family, names) in [
        (
            "hermes",
            "Qwen/Qwen3-8B Qwen/Qwen3-0.6B-Base qwen2.5 qwen3 Qwen/Qwen2.5-7B-Instruct Qwen/Qwen2.5-Coder-32B-Instruct-AWQ Qwen/Qwen3-235B-A22B-Thinking-2507-FP8 Qwen/Qwen3-Next-80B-A3B-Instruct unsloth/Qwen3-14B-unsloth-bnb-4bit unsloth/Qwen3-30B-A3B-GGUF qwen2.5-coder:7b-instruct-q4_K_M Qwen/QwQ-32B bartowski/Qwen_Qwen3-8B-GGUF Qwen3-8B-Q4_K_M.gguf mlx-community/Qwen3-4B-4bit RedHatAI/Qwen3-32B-quantized.w4a16 Qwen/Qwen3-VL-30B-A3B-Instruct qwen/qwen3-8b:free NousResearch/Hermes-3-Llama-3.1-8B NousResearch/Hermes-2-Pro-Mistral-7B NousResearch/Hermes-4-70B-FP8 NousResearch/DeepHermes-3-Llama-3-8B-Preview HuggingFaceTB/SmolLM3-3B Groq/Llama-3-Groq-8B-Tool-Use Qwen/Qwen2.5-1M-7B-Instruct",
        ),
        (
            "qwen3-coder",
            "Qwen/Qwen3-Coder-30B-A3B-Instruct Qwen/Qwen3-Coder-480B-A35B-Instruct-FP8 Qwen/Qwen3-Coder-Next Qwen/Qwen3.5-27B Qwen/Qwen3.6-35B-A3B qwen3-coder:30b nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16",
        ),
        (
            "llama3.1",
            "meta-llama/Llama-3.1-8B-Instruct meta-llama/Meta-Llama-3.1-405B-Instruct-FP8 llama3.1 LLAMA3.1 Llama-3.3-70B-Instruct hugging-quants/Meta-Llama-3.1-8B-Instruct-AWQ-INT4 unsloth/Llama-3.3-70B-Instruct-bnb-4bit accounts/fireworks/models/llama-v3p1-8b-instruct meta.llama3-1-70b-instruct-v1:0 llama3.3:70b nvidia/Llama-3.1-Nemotron-70B-Instruct-HF llama-3.3-70b-versatile",
        ),
        (
            "llama4-pythonic",
            "meta-llama/Llama-4-Scout-17B-16E-Instruct meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8 llama4 Team-ACE/ToolACE-8B",
        ),
        (
            "mistral",
            "mistralai/Mistral-7B-Instruct-v0.3 mistralai/Mixtral-8x22B-Instruct-v0.1 mistralai/Mistral-Nemo-Instruct-2407 mistralai/Ministral-8B-Instruct-2410 mistralai/Mistral-Small-24B-Instruct-2501 mistralai/Mistral-Small-3.1-24B-Instruct-2503 mistralai/Mistral-Large-Instruct-2411 mistral.mistral-large-2407-v1:0 mistral-nemo:12b",
        ),
        (
            "mistral-v11",
            "mistralai/Mistral-Small-3.2-24B-Instruct-2506 mistralai/Mistral-Small-4-119B-2603 mistralai/Magistral-Small-2509 mistralai/Devstral-Small-2507 mistralai/Devstral-2-123B-Instruct-2512 mistralai/Devstral-Small-2-24B-Instruct-2512 mistralai/Ministral-3-14B-Reasoning-2512 mistralai/Mistral-Large-3-675B-Instruct-2512 bartowski/mistralai_Devstral-Small-2507-GGUF mistralai/Voxtral-Mini-3B-2507",
        ),
        (
            "deepseek-r1",
            "deepseek-ai/DeepSeek-R1 deepseek-ai/DeepSeek-R1-0528 deepseek-ai/DeepSeek-V3-0324 deepseek-ai/DeepSeek-R1-Distill-Qwen-32B deepseek-ai/DeepSeek-R1-0528-Qwen3-8B deepseek-r1:14b deepseek-ai_DeepSeek-R1-0528-Qwen3-8B-GGUF",
        ),
        ("deepseek-v3.1", "deepseek-ai/DeepSeek-V3.1 deepseek-ai/DeepSeek-V3.1-Terminus"),
        ("deepseek-v3.2", "deepseek-ai/DeepSeek-V3.2"),
        ("deepseek-v4", "deepseek-ai/DeepSeek-V4-Flash"),
        ("deepseek-v4.1", "deepseek-ai/DeepSeek-V4.1"),
        (
            "kimi-k2",
            "moonshotai/Kimi-K2-Instruct moonshotai/Kimi-K2-Instruct-0905 moonshotai/Kimi-K2-Thinking moonshotai/Kimi-K2.5 kimik2 moonshotai/Kimi-Linear-48B-A3B-Instruct",
        ),
        (
            "glm4.5",
            "zai-org/GLM-4.5 zai-org/GLM-4.5-Air-FP8 zai-org/GLM-4.6 zai-org/GLM-4.6V-Flash zai-org/GLM-4.7-Flash zai-org/GLM-5",
        ),
        (
            "harmony",
            "openai/gpt-oss-20b openai/gpt-oss-120b gptoss gpt-oss:20b unsloth/gpt-oss-20b-BF16 openai/gpt-oss-safeguard-20b",
        ),
        ("phi4", "microsoft/Phi-4-mini-instruct phi4-mini microsoft/Phi-4-multimodal-instruct"),
        (
            "gemma3",
            "google/gemma-3-27b-it gemma3:4b google/gemma-3n-E4B-it google/gemma-3-12b-it-qat-q4_0-gguf",
        ),
        ("functiongemma", "google/functiongemma-270m-it"),
        ("gemma4", "google/gemma-4-31B-it"),
        (
            "granite",
            "ibm-granite/granite-3.3-8b-instruct ibm-granite/granite-4.0-h-small granite3.3:8b ibm-granite/granite-4.0-tiny-preview",
        ),
        (
            "cohere",
            "CohereForAI/c4ai-command-r7b-12-2024 CohereLabs/c4ai-command-a-03-2025 CohereLabs/command-a-reasoning-08-2025 command-r7b",
        ),
        ("exaone", "LGAI-EXAONE/EXAONE-4.0-32B LGAI-EXAONE/EXAONE-4.0.1-32B"),
        ("minimax-m2", "MiniMaxAI/MiniMax-M2 MiniMaxAI/MiniMax-M2.1 unsloth/MiniMax-M2.5-GGUF"),
        ("minimax-m3", "MiniMaxAI/MiniMax-M3"),
        ("minimax-m1", "MiniMaxAI/MiniMax-M1-80k"),
        ("kimi-k3", "moonshotai/Kimi-K3 moonshotai/Kimi-K3-Thinking"),
        ("lfm2", "LiquidAI/LFM2-1.2B LiquidAI/LFM2.5-1.2B-Instruct"),
        ("seed-oss", "ByteDance-Seed/Seed-OSS-36B-Instruct"),
        ("mimo", "XiaomiMiMo/MiMo-V2-Flash"),
        ("step3", "stepfun-ai/step3"),
        ("qwen3-coder", "stepfun-ai/Step-3.5-Flash stepfun-ai/Step-3.7-Flash"),
        ("longcat", "meituan-longcat/LongCat-Flash-Chat meituan-longcat/LongCat-Flash-Thinking"),
        (
            "internlm",
            "internlm/internlm2_5-7b-chat internlm/internlm3-8b-instruct internlm/Intern-S1 internlm/Intern-S1-mini",
        ),
        ("jamba", "ai21labs/AI21-Jamba-1.5-Mini ai21labs/AI21-Jamba-Large-1.7"),
        ("hunyuan-a13b", "tencent/Hunyuan-A13B-Instruct"),
        ("hunyuan-v3", "tencent/Hy3-preview"),
        ("xlam", "Salesforce/Llama-xLAM-2-8b-fc-r Salesforce/xLAM-2-32b-fc-r"),
        ("apertus", "swiss-ai/Apertus-8B-Instruct-2509"),
        ("olmo3", "allenai/Olmo-3-7B-Instruct allenai/Olmo-3-32B-Think"),
        (
            "nemotron",
            "nvidia/Llama-3.1-Nemotron-Nano-8B-v1 nvidia/Llama-3_3-Nemotron-Super-49B-v1_5 nvidia/NVIDIA-Nemotron-Nano-9B-v2",
        ),
        ("gigachat3", "ai-sage/GigaChat3-10B-A1.8B ai-sage/GigaChat3-702B-A36B-preview"),
        ("gigachat3.5", "ai-sage/GigaChat3.5"),
        ("granite-20b", "ibm-granite/granite-20b-functioncalling"),
        ("solar-open2", "upstage/Solar-Open2-102B"),
        ("solar-open", "upstage/Solar-Open-100B"),
        ("minicpm5", "openbmb/MiniCPM5-2B openbmb/MiniCPM5-1B"),
        ("plamo3", "pfnet/plamo-3-8b"),
        ("inkling", "thinkingmachines/Inkling EmbeddedLLM/Inkling-Small-MXFP4 RedHatAI/Inkling-FP8-block"),
        (
            "muse",
            "meta-models/Muse-Spark-Open-816B-A42B amd/Muse-Spark-Open-816B-A42B-Quark-MXFP4 Inferact/Muse-Glimmer-30B-NVFP4-W4A4",
        ),
        ("beam", "reflection/Beam-1.0-501B-A23B reflection/Beam-1.0-501B-A23B-NVFP4"),
        ("nemotron-mini", "nvidia/Nemotron-Mini-4B-Instruct nemotron-mini:4b"),
        ("spark25", "Spark-2.5"),
        ("glm4.5", "RecursiveSI/flint mindlab-research/Macaron-V1-Coding-Venti zai-org/GLM-GA"),
        ("qwen3-coder", "Nanbeige/Nanbeige4.2-3B"),
        ("harmony", "amd/gpt-oss-120b-w-mxfp4-a-fp8"),
        ("cohere", "CohereLabs/North-Mini-Code-1.0"),
        (
            "hermes",
            "baidu/ERNIE-4.5-21B-A3B-Thinking LGAI-EXAONE/K-EXAONE-236B-A23B arcee-ai/Trinity-Mini NousResearch/DeepHermes-3-Mistral-24B-Preview",
        ),
        (
            "glm4.5",
            "poolside/Laguna-XS.2 poolside/Laguna-M.1-NVFP4 inclusionAI/Ring-2.6-1T inclusionAI/Ling-3-flash inclusionAI/Ling-3.0-flash-VL-int4 inclusionAI/Ling-3.1-flash zai-org/GLM-5.3-Flash z-ai/glm-4.6:exacto",
        ),
        ("deepseek-v3.1", "deepseek.v3-v1:0 us.deepseek.v3-v1:0 deepseek/deepseek-chat-v3.1"),
        ("deepseek-r1", "deepseek/deepseek-chat-v3-0324 nvidia/DeepSeek-R1-0528-NVFP4-v2"),
        ("deepseek-v4", "deepseek-ai/DeepSeek-V4-Pro-DSpark"),
        (
            "qwen3-coder",
            "arcee-ai/Trinity-Large-Thinking RedHatAI/Trinity-Large-Thinking-NVFP4 Qwen/Qwen3.8-Flash-Next-FP8 nvidia.nemotron-nano-3-30b nvidia/NVIDIA-Nemotron-3.5-Super-VL-120B-A12B-BF16 nvidia/Nemotron-3-Nano-Omni-30B-A3B-Reasoning-FP8 internlm/Intern-S2-397B-FP8 openbmb/MiniCPM-V-4.6 stepfun-ai/Step-5-Preview-NVFP4",
        ),
        ("minimax-m2", "minimax.minimax-m2 minimax.minimax-m2.1"),
        ("minimax-m3", "amd/MiniMax-M3.1-Flash-Quark-MXFP4"),
        ("kimi-k2", "moonshot.kimi-k2-thinking moonshotai/Kimi-K2.7-Code"),
        ("mistral", "open-mistral-nemo open-mixtral-8x22b"),
        ("llama3.1", "nemotron:70b llama-3.3-70b-specdec"),
        (
            "hermes",
            "RedHatAI/Qwen3-32B-NVFP4A16 JetBrains/Mellum2-12B-A2.5B-Thinking Aleph-Alpha/Kolibri-1-BF16 arcee-ai/Trinity-Nano-Preview",
        ),
        ("mimo", "XiaomiMiMo/MiMo-V2.5-Pro XiaomiMiMo/MiMo-V2.6-Flash-MOPD"),
        ("k2-horizon", "IFM/Jais-3-375B-A23B IFM/K2-Horizon-MoVA-36B-A4B"),
        ("gemma4", "google/diffusiongemma-26B-A4B-it google/gemma-4-E2B-it-qat-mobile-ct"),
        ("lfm2", "LiquidAI/LFM2.5-1.2B-JP-202606"),
        ("dots", "dots-studio/dots3-note-prev-fp8"),
        ("qwen3-coder", "qwen3-coder:480b-cloud"),
        ("harmony", "openai.gpt-oss-120b-1:0"),
        ("deepseek-r1", "deepseek.r1-v1:0"),
        ("llama3.1", "meta-llama/llama-3.1-8b-instruct:nitro @cf/meta/llama-3.3-70b-instruct-fp8-fast"),
        ("gemma3", "google/medgemma-27b-text-it"),
    ] {
        for name in names.split(' ') {
            assert_eq!(of(name).as_deref(), Ok(family), "{name}");
        }
    }
}

/// What models write that is no built-in family is said, and a name that does not tell the family is asked about.
#[test]
fn models_without_a_family() {
    for (name, said) in [
        ("CohereForAI/c4ai-command-r-plus-08-2024", "Action:"),
        ("tencent/Hy3", "a suffix of its own"),
        ("tencent/Hunyuan-7B-Instruct", "hunyuan-a13b or hunyuan-v3"),
        ("zai-org/GLM-4-32B-0414", "a line break"),
        ("microsoft/phi-4", "Phi-4-mini"),
        ("microsoft/Phi-4-reasoning-plus", "Phi-4-mini"),
        ("mistralai/Mistral-7B-Instruct-v0.2", "older than v3"),
        ("mistralai/Mixtral-8x7B-Instruct-v0.1", "older than v3"),
        ("meta-llama/Meta-Llama-3-8B-Instruct", "Llama 3.1 and later"),
        ("google/gemma-2-9b-it", "no calls"),
        ("Qwen/Qwen2-7B-Instruct", "no calls"),
        ("deepseek-ai/DeepSeek-V3.2-Speciale", "no calls"),
        ("deepseek-ai/DeepSeek-V3.2-Exp", "deepseek-v3.1 or deepseek-v3.2"),
        ("NousResearch/Nous-Hermes-2-Mixtral-8x7B-DPO", ""),
        ("meta-llama/Llama-3.2-3B-Instruct", "llama3.1 or llama4-pythonic"),
        ("meta-llama/Llama-3.2-11B-Vision-Instruct", "llama3.1 or llama4-pythonic"),
        ("baidu/ERNIE-4.5-300B-A47B-PT", "no calls"),
        ("baidu/ERNIE-4.5-21B-A3B-Base-PT", "no calls"),
        ("allenai/Olmo-3-1025-7B", "a base model"),
        ("google/gemma-3-4b-pt", "a base model"),
        ("mistralai/mistral-small", "mistral or mistral-v11"),
        ("mistralai/Devstral-Small-2505", "mistral or mistral-v11"),
    ] {
        let error = of(name).expect_err(name);
        assert!(error.contains(said), "{name}: {error}");
        assert!(!error.contains("no calls") || !error.contains("no built-in family"), "{name}: {error}");
        assert!(error.contains("chat template") || error.contains("JSON object"), "{name}: {error}");
    }
}

/// A name with words of its own may be that of another model, and a number is no misspelling.
#[test]
fn other_names_are_not_known() {
    for name in [
        "Qwen/Qwen4-32B",
        "Qwen/Qwen3-Embedding-8B",
        "Qwen/Qwen3Guard-Gen-8B",
        "Qwen/Qwen33-8B",
        "someone/Qwen3-8B-Roleplay",
        "meta-llama/Llama-Guard-3-8B",
        "meta-llama/Llama-5-8B",
        "mistralai/Mistral-Small-5-24B",
        "clippy",
        "gpt-4o",
        "claude-3-5-sonnet",
        "deepseek-ai/DeepSeek-V5",
        "zai-org/GLM-6",
        "",
        "/",
        "google/gemma-5-9b",
        "openai/gpt-oss2-20b",
        "ibm-granite/granite-5.0-8b",
        "MiniMaxAI/MiniMax-M4",
        "moonshotai/Kimi-K4",
        "microsoft/phi-5-mini",
    ] {
        let error = of(name).expect_err(name);
        assert!(error.contains("is not known") && error.contains("hermes, qwen3-coder"), "{name}: {error}");
        assert!(!error.contains("did you mean"), "{name}: {error}");
    }
    let derived = of("someone/Qwen3-8B-Roleplay").expect_err("another model");
    assert!(derived.contains("models named qwen3 write hermes"), "{derived}");
    for (name, meant) in [
        ("Qwn3-8B", "qwen3"),
        ("Lama-3.1-8B", ""),
        ("harmny", "harmony"),
        ("deepsek-v3.1", "deepseek-v3.1"),
        ("Hermes3x", ""),
        ("Mistrl", "mistral"),
    ] {
        let error = of(name).expect_err(name);
        assert_eq!(error.contains(&format!("did you mean {meant}?")), !meant.is_empty(), "{name}: {error}");
    }
}

#[test]
fn long_and_odd_names() {
    for name in [
        "a".repeat(1 << 16),
        "-".repeat(1000),
        "qwen3".repeat(1000),
        "qwen3-".repeat(49),
        "Qwen3-８B".to_owned(),
        "é_é.é".to_owned(),
        "qwen.".repeat(50),
    ] {
        assert!(of(&name).is_err(), "{name}");
    }
}
