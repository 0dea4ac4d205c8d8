/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rare ends of a draw, and the tables. With v the area of a layer and r = edge[1], these solve
 *
 *   r f(r) + integral of f from r on = v
 *   edge[i] (height[i + 1] - height[i]) = v for i = 1 .. 255,   height[256] = 1
 *
 * (exponential: r = 7.69711747013105, v = 0.00394965982258156; normal: r = 3.65415288536101,
 * v = 0.00492867323397466). Computed in 113-bit arithmetic and rounded once; test_ziggurat.c checks
 * them against these equations.
 */
#include "sim/base/ziggurat.h"

#include "sim/base/elementary.h"

/* A height drawn uniformly within a layer. */
static double height_within(const struct ziggurat *table, unsigned layer,
                            struct random_stream *stream)
{
    double low = table->height[layer];
    return low + random_unit(stream) * (table->height[layer + 1] - low);
}

/* What is left beyond r is exponential again: start over from there. */
double ziggurat_exponential_slow(struct random_stream *stream, unsigned layer, double x)
{
    const struct ziggurat *table = &ziggurat_exponential_table;
    if (layer == 0) {
        return table->edge[1] + ziggurat_exponential(stream);
    }
    if (height_within(table, layer, stream) < elementary_exp(-x)) {
        return x;
    }
    return ziggurat_exponential(stream);
}

/* Marsaglia, "Generating a variable from the tail of the normal distribution", Technometrics 6
 * (1964). */
static double normal_tail(struct random_stream *stream)
{
    double r = ziggurat_normal_table.edge[1];
    double x;
    do {
        x = ziggurat_exponential(stream) / r;
    } while (2 * ziggurat_exponential(stream) < x * x);
    return r + x;
}

double ziggurat_normal_slow(struct random_stream *stream, uint64_t word, double x)
{
    unsigned layer = ziggurat_layer(word);
    if (layer == 0) {
        return ziggurat_signed(word, normal_tail(stream));
    }
    if (height_within(&ziggurat_normal_table, layer, stream) < elementary_exp(-0.5 * x * x)) {
        return ziggurat_signed(word, x);
    }
    return ziggurat_normal(stream);
}

/* clang-format off */
const struct ziggurat ziggurat_exponential_table = {
    .edge = {
        0x1.164ec94bf5dc1p+3, 0x1.ec9d9297ebb83p+2, 0x1.bc39e51da71fcp+2, 0x1.9e9dc0d487b85p+2,
        0x1.8939fe6f2ed19p+2, 0x1.78750d6eac62fp+2, 0x1.6aa676d4bbf72p+2, 0x1.5ee7ae17313d2p+2,
        0x1.54ad83ccf73f6p+2, 0x1.4b9d7cd4751d1p+2, 0x1.4379766e41362p+2, 0x1.3c14ec7c8b861p+2,
        0x1.354ee27ccf75ep+2, 0x1.2f0e38a4411fp+2, 0x1.293f5ae49aaa5p+2, 0x1.23d2bb659919fp+2,
        0x1.1ebbca0c9fa7cp+2, 0x1.19f03bcb3c2d6p+2, 0x1.156786775442ap+2, 0x1.111a8034392a6p+2,
        0x1.0d031785d48ap+2, 0x1.091c1cdcba54ep+2, 0x1.056118bf58eefp+2, 0x1.01ce2b362ec2ep+2,
        0x1.fcbfe43f6c6e5p+1, 0x1.f626e9791f7a7p+1, 0x1.efcc26750ea4ap+1, 0x1.e9aaf2af383c1p+1,
        0x1.e3bf26e19096p+1, 0x1.de050af4ef19fp+1, 0x1.d87946fec3becp+1, 0x1.d318d6b2738c5p+1,
        0x1.cde0fecf2a97fp+1, 0x1.c8cf442c8c8f4p+1, 0x1.c3e1641c2e0a7p+1, 0x1.bf154de4bef77p+1,
        0x1.ba691d276da5ep+1, 0x1.b5db15091ea0fp+1, 0x1.b1699c003b60ap+1, 0x1.ad13382d845c4p+1,
        0x1.a8d68c2ad86eap+1, 0x1.a4b2543e84c3bp+1, 0x1.a0a563e49f178p+1, 0x1.9caea3a24d9eap+1,
        0x1.98cd0f18d1ad8p+1, 0x1.94ffb34fc2a0ep+1, 0x1.9145ad2f37544p+1, 0x1.8d9e2823b3695p+1,
        0x1.8a085ce695babp+1, 0x1.8683906687342p+1, 0x1.830f12cc0bec3p+1, 0x1.7faa3e96e1412p+1,
        0x1.7c5477d1476d3p+1, 0x1.790d2b56b71f9p+1, 0x1.75d3ce2bd71c3p+1, 0x1.72a7dce5cd218p+1,
        0x1.6f88db1f42507p+1, 0x1.6c7652f9a7b1ep+1, 0x1.696fd4a9748eep+1, 0x1.6674f60c3f432p+1,
        0x1.63855247b2e94p+1, 0x1.60a0897081879p+1, 0x1.5dc640388bd9ep+1, 0x1.5af61fa38e107p+1,
        0x1.582fd4c1b4461p+1, 0x1.5573106f8a75ap+1, 0x1.52bf871acaab2p+1, 0x1.5014f08b99508p+1,
        0x1.4d7307b1cb127p+1, 0x1.4ad98a75da14cp+1, 0x1.4848398d39432p+1, 0x1.45bed851bc92cp+1,
        0x1.433d2c9bd42f8p+1, 0x1.40c2fe9f5eeadp+1, 0x1.3e5018caddedp+1, 0x1.3be447a8d8b83p+1,
        0x1.397f59c345143p+1, 0x1.37211f88ca856p+1, 0x1.34c96b33bc965p+1, 0x1.327810b2aa7dp+1,
        0x1.302ce59265965p+1, 0x1.2de7c0e962d7p+1, 0x1.2ba87b445db51p+1, 0x1.296eee942532bp+1,
        0x1.273af61c7daa6p+1, 0x1.250c6e6403bbap+1, 0x1.22e33524fe55p+1, 0x1.20bf293f0f4a2p+1,
        0x1.1ea02aa9b337p+1, 0x1.1c861a6782a5ap+1, 0x1.1a70da7a2782p+1, 0x1.18604dd6fae9ep+1,
        0x1.1654585c404c1p+1, 0x1.144cdec6f3a2bp+1, 0x1.1249c6a92154ap+1, 0x1.104af660befcep+1,
        0x1.0e50550efcfb7p+1, 0x1.0c59ca900946fp+1, 0x1.0a673f733c819p+1, 0x1.08789cf3aad0fp+1,
        0x1.068dccf1126dbp+1, 0x1.04a6b9e9224a3p+1, 0x1.02c34ef11391bp+1, 0x1.00e377af911d4p+1,
        0x1.fe0e40add09d8p+0, 0x1.fa5c6b3efe1e5p+0, 0x1.f6b1498515edp+0, 0x1.f30cb6ea0bc7fp+0,
        0x1.ef6e8fc5b9168p+0, 0x1.ebd6b154a7678p+0, 0x1.e844f9af4237fp+0, 0x1.e4b947c16a452p+0,
        0x1.e1337b426509bp+0, 0x1.ddb374ad2357fp+0, 0x1.da391538da50ap+0, 0x1.d6c43ed1ea3fep+0,
        0x1.d354d4130f2adp+0, 0x1.cfeab83ed718p+0, 0x1.cc85cf395a56cp+0, 0x1.c925fd82323fbp+0,
        0x1.c5cb282eab1a4p+0, 0x1.c27534e42e02dp+0, 0x1.bf2409d2dfd85p+0, 0x1.bbd78db07261p+0,
        0x1.b88fa7b324fb6p+0, 0x1.b54c3f8cf2542p+0, 0x1.b20d3d66e8bb5p+0, 0x1.aed289dcaacffp+0,
        0x1.ab9c0df81657ap+0, 0x1.a869b32d0f30fp+0, 0x1.a53b63556c69p+0, 0x1.a21108ad0592dp+0,
        0x1.9eea8dcdde951p+0, 0x1.9bc7ddac7035dp+0, 0x1.98a8e3940bbf4p+0, 0x1.958d8b235828ap+0,
        0x1.9275c048e73e1p+0, 0x1.8f616f3fe1513p+0, 0x1.8c50848cc6094p+0, 0x1.8942ecfa40f54p+0,
        0x1.86389596108e7p+0, 0x1.83316badfe62ap+0, 0x1.802d5ccce7277p+0, 0x1.7d2c56b7d17f7p+0,
        0x1.7a2e476b1240ap+0, 0x1.77331d177d13p+0, 0x1.743ac61fa041cp+0, 0x1.714531150a9fbp+0,
        0x1.6e524cb59a608p+0, 0x1.6b6207e8d3cdfp+0, 0x1.687451bd3ebeep+0, 0x1.65891965c9b8cp+0,
        0x1.62a04e3731a2ep+0, 0x1.5fb9dfa56cf26p+0, 0x1.5cd5bd4119335p+0, 0x1.59f3d6b4e9cf9p+0,
        0x1.57141bc316f27p+0, 0x1.54367c42cb5f8p+0, 0x1.515ae81d900fbp+0, 0x1.4e814f4cb45eap+0,
        0x1.4ba9a1d6b18a4p+0, 0x1.48d3cfcc883c4p+0, 0x1.45ffc94716ca7p+0, 0x1.432d7e6466cdp+0,
        0x1.405cdf44f09c4p+0, 0x1.3d8ddc08d336dp+0, 0x1.3ac064ccfeffcp+0, 0x1.37f469a851afp+0,
        0x1.3529daa8a1ba1p+0, 0x1.3260a7cfb7611p+0, 0x1.2f98c11031721p+0, 0x1.2cd2164a53b5dp+0,
        0x1.2a0c9748bcdaap+0, 0x1.274833bd0189fp+0, 0x1.2484db3c2a329p+0, 0x1.21c27d3b10e05p+0,
        0x1.1f01090a9c4e2p+0, 0x1.1c406dd3d5283p+0, 0x1.19809a93d2396p+0, 0x1.16c17e1777ffbp+0,
        0x1.140306f707dbep+0, 0x1.114523917ac15p+0, 0x1.0e87c207a2f66p+0, 0x1.0bcad03710137p+0,
        0x1.090e3bb4b0072p+0, 0x1.0651f1c7276f8p+0, 0x1.0395df60db162p+0, 0x1.00d9f119a3cd9p+0,
        0x1.fc3c26504a9a1p-1, 0x1.f6c462b57feb5p-1, 0x1.f14c6e202949fp-1, 0x1.ebd41e5e21b62p-1,
        0x1.e65b483cf1044p-1, 0x1.e0e1bf77c31fep-1, 0x1.db6756a429057p-1, 0x1.d5ebdf1d86b8dp-1,
        0x1.d06f28ef0e6fbp-1, 0x1.caf102bc25adbp-1, 0x1.c57139a70d29fp-1, 0x1.bfef99359fe99p-1,
        0x1.ba6beb33f8f89p-1, 0x1.b4e5f794c979bp-1, 0x1.af5d844f224c9p-1, 0x1.a9d255396d261p-1,
        0x1.a4442be14884ap-1, 0x1.9eb2c75ff03bfp-1, 0x1.991de42ad1338p-1, 0x1.93853bdfda244p-1,
        0x1.8de8850d0c52ap-1, 0x1.884772f2be1ecp-1, 0x1.82a1b53fed599p-1, 0x1.7cf6f7c7e8172p-1,
        0x1.7746e23077973p-1, 0x1.71911797990bbp-1, 0x1.6bd5362faa944p-1, 0x1.6612d6d0c68ep-1,
        0x1.60498c7dd2ecfp-1, 0x1.5a78e3db8befdp-1, 0x1.54a0629786f4dp-1, 0x1.4ebf86bcd0b93p-1,
        0x1.48d5c5f35e712p-1, 0x1.42e28ca706748p-1, 0x1.3ce53d12162ap-1, 0x1.36dd2e26d8202p-1,
        0x1.30c9aa526da4bp-1, 0x1.2aa9ee123680bp-1, 0x1.247d26538ff2ep-1, 0x1.1e426e93e49e7p-1,
        0x1.17f8ceb4bdfap-1, 0x1.119f38749f5afp-1, 0x1.0b348479b80fcp-1, 0x1.04b76ed6a7558p-1,
        0x1.fc4d25d683209p-2, 0x1.ef00ccf5f4faap-2, 0x1.e186678f1735ap-2, 0x1.d3da24df17c36p-2,
        0x1.c5f7bd78c3f89p-2, 0x1.b7da5dddda3c4p-2, 0x1.a97c8be5d5203p-2, 0x1.9ad80552237d2p-2,
        0x1.8be5954d3606fp-2, 0x1.7c9cdda17d019p-2, 0x1.6cf40f0a72bbdp-2, 0x1.5cdf89d024ac3p-2,
        0x1.4c515c60bfe21p-2, 0x1.3b388fe3d6ecap-2, 0x1.2980290da2633p-2, 0x1.170db24d6f67p-2,
        0x1.03bf049c65c3cp-2, 0x1.decd8b76dbd98p-3, 0x1.b38d1ef79b7ccp-3, 0x1.85090fbc27a8p-3,
        0x1.522e6e54a2a73p-3, 0x1.19335a95b8dbap-3, 0x1.ad6b2495b4d2bp-4, 0x1.0589d8b5d4119p-4,
        0x0p+0,
    },
    .height = {
        0x0p+0, 0x1.dc31c329f0b4bp-12, 0x1.fb20af78dfcb9p-11, 0x1.92bb5540c3e25p-10,
        0x1.1946ba8e1a324p-9, 0x1.6d888f3a1feffp-9, 0x1.c58b381cd4b11p-9, 0x1.1073d69574043p-8,
        0x1.3fa97cee322fdp-8, 0x1.7049f37ec362p-8, 0x1.a23e9d4974836p-8, 0x1.d5751fa745dc5p-8,
        0x1.04ef2295fd7f9p-7, 0x1.1fb69edb37671p-7, 0x1.3b0b8c1516f62p-7, 0x1.56e930be416cbp-7,
        0x1.734b6e6aa74f5p-7, 0x1.902ea688fa7bdp-7, 0x1.ad8fa5542c92dp-7, 0x1.cb6b9146e2757p-7,
        0x1.e9bfdde89c7cep-7, 0x1.04452091e02fp-6, 0x1.13e4554725f5fp-6, 0x1.23bc9e1b93a32p-6,
        0x1.33cd225315d84p-6, 0x1.44151ce87f0bep-6, 0x1.5493da6ab0251p-6, 0x1.6548b72a24077p-6,
        0x1.76331da87fc96p-6, 0x1.8752853ec9967p-6, 0x1.98a670f132a48p-6, 0x1.aa2e6e6924e9bp-6,
        0x1.bbea150fa587p-6, 0x1.cdd9054331b0cp-6, 0x1.dffae7a517468p-6, 0x1.f24f6c7af989p-6,
        0x1.026b2590dfaeep-5, 0x1.0bc7a0c7cd651p-5, 0x1.153d09f19b3a1p-5, 0x1.1ecb45ff312d4p-5,
        0x1.28723c956c00cp-5, 0x1.3231d7e3f14aep-5, 0x1.3c0a047ff18ffp-5, 0x1.45fab14266b19p-5,
        0x1.5003cf296c5ebp-5, 0x1.5a25513c5d2cap-5, 0x1.645f2c726a041p-5, 0x1.6eb1579b6af52p-5,
        0x1.791bcb4ab089ep-5, 0x1.839e81c3a396bp-5, 0x1.8e3976e80776dp-5, 0x1.98eca827b7c4cp-5,
        0x1.a3b81471bf138p-5, 0x1.ae9bbc26a8084p-5, 0x1.b997a10bed985p-5, 0x1.c4abc640721e9p-5,
        0x1.cfd83031e794ap-5, 0x1.db1ce4931581p-5, 0x1.e679ea52eb2e5p-5, 0x1.f1ef49944e834p-5,
        0x1.fd7d0ba699676p-5, 0x1.04919d7f5c817p-4, 0x1.0a70f19871b3bp-4, 0x1.105c88756ca5p-4,
        0x1.165468f755392p-4, 0x1.1c589a86fa34p-4, 0x1.22692512c9d8cp-4, 0x1.2886110ce057p-4,
        0x1.2eaf676948dd1p-4, 0x1.34e5319c6e718p-4, 0x1.3b277999b9f9ep-4, 0x1.417649d25b10ep-4,
        0x1.47d1ad343985cp-4, 0x1.4e39af290d929p-4, 0x1.54ae5b959d036p-4, 0x1.5b2fbed91bb3ep-4,
        0x1.61bde5ccadef7p-4, 0x1.6858ddc30b62p-4, 0x1.6f00b488416b6p-4, 0x1.75b5786193c1ep-4,
        0x1.7c77380d7a6f3p-4, 0x1.834602c3bc4bap-4, 0x1.8a21e835a533bp-4, 0x1.910af88e574b9p-4,
        0x1.9801447336b7p-4, 0x1.9f04dd046f428p-4, 0x1.a615d3dd938b7p-4, 0x1.ad343b1655465p-4,
        0x1.b460254356548p-4, 0x1.bb99a5771268fp-4, 0x1.c2e0cf42e10afp-4, 0x1.ca35b6b80fd57p-4,
        0x1.d198706914dd7p-4, 0x1.d909116ad9398p-4, 0x1.e087af561bafbp-4, 0x1.e8146048eb9ccp-4,
        0x1.efaf3ae83c33cp-4, 0x1.f758566190414p-4, 0x1.ff0fca6cbea8dp-4, 0x1.036ad7a6e7f04p-3,
        0x1.07550eeb7a5bep-3, 0x1.0b4697b54b62fp-3, 0x1.0f3f7efec172p-3, 0x1.133fd20c9712fp-3,
        0x1.17479e6f0ae78p-3, 0x1.1b56f2031d666p-3, 0x1.1f6ddaf3dca65p-3, 0x1.238c67bbbe878p-3,
        0x1.27b2a7260994p-3, 0x1.2be0a8504cf34p-3, 0x1.30167aabe7d6ep-3, 0x1.34542dffa0cafp-3,
        0x1.3899d2694d5c9p-3, 0x1.3ce7785f8a905p-3, 0x1.413d30b386a9ap-3, 0x1.459b0c92dccc6p-3,
        0x1.4a011d8983096p-3, 0x1.4e6f7583cb6fap-3, 0x1.52e626d078c49p-3, 0x1.57654422e78f5p-3,
        0x1.5bece0954c2b6p-3, 0x1.607d0fab06a31p-3, 0x1.6515e5530d1acp-3, 0x1.69b775ea6da28p-3,
        0x1.6e61d63ee84eap-3, 0x1.73151b91a2839p-3, 0x1.77d15b99f46fep-3, 0x1.7c96ac8851baep-3,
        0x1.816525094e7e6p-3, 0x1.863cdc48c1af9p-3, 0x1.8b1de9f5062d5p-3, 0x1.900866425bb79p-3,
        0x1.94fc69ee692a1p-3, 0x1.99fa0e43e1623p-3, 0x1.9f016d1e4c512p-3, 0x1.a412a0edf5cbcp-3,
        0x1.a92dc4bc03c49p-3, 0x1.ae52f42eb5b0bp-3, 0x1.b3824b8dcef3ep-3, 0x1.b8bbe7c72e4a5p-3,
        0x1.bdffe67394435p-3, 0x1.c34e65db9afeep-3, 0x1.c8a784fce1802p-3, 0x1.ce0b638f6d09fp-3,
        0x1.d37a220b431fdp-3, 0x1.d8f3e1ae3eeb8p-3, 0x1.de78c48224f39p-3, 0x1.e408ed62f83a7p-3,
        0x1.e9a48005940f2p-3, 0x1.ef4ba0fe8e09bp-3, 0x1.f4fe75c963e7ep-3, 0x1.fabd24cff9354p-3,
        0x1.0043eab93476ap-2, 0x1.032f580797c2cp-2, 0x1.0620ef05d90d2p-2, 0x1.0918c4ee93e13p-2,
        0x1.0c16ef88f5333p-2, 0x1.0f1b852d9a66cp-2, 0x1.12269ccba9fbap-2, 0x1.15384dee291efp-2,
        0x1.1850b0c191982p-2, 0x1.1b6fde19abc5ap-2, 0x1.1e95ef77b09dbp-2, 0x1.21c2ff10b7effp-2,
        0x1.24f727d4776fdp-2, 0x1.2832857457629p-2, 0x1.2b75346ae2262p-2, 0x1.2ebf52039427p-2,
        0x1.3210fc6312435p-2, 0x1.356a528fcd0ddp-2, 0x1.38cb747b17defp-2, 0x1.3c34830abb285p-2,
        0x1.3fa5a0230a14ep-2, 0x1.431eeeb1841e2p-2, 0x1.46a092b80beefp-2, 0x1.4a2ab158bdad3p-2,
        0x1.4dbd70e26f91dp-2, 0x1.5158f8dde89f5p-2, 0x1.54fd721bda3e7p-2, 0x1.58ab06c3aa9efp-2,
        0x1.5c61e2631ee6cp-2, 0x1.602231fef5876p-2, 0x1.63ec2424827e4p-2, 0x1.67bfe8fc60d9fp-2,
        0x1.6b9db25e4e99cp-2, 0x1.6f85b3e649e9dp-2, 0x1.7378230b08deap-2, 0x1.77753735e72e3p-2,
        0x1.7b7d29dc6801ep-2, 0x1.7f90369b6ce59p-2, 0x1.83ae9b5446138p-2, 0x1.87d8984bc3f8cp-2,
        0x1.8c0e704b75d39p-2, 0x1.905068c545d04p-2, 0x1.949ec9f9a811p-2, 0x1.98f9df2097ba8p-2,
        0x1.9d61f695a3792p-2, 0x1.a1d76207521f4p-2, 0x1.a65a76aa3014p-2, 0x1.aaeb8d6fdf6e5p-2,
        0x1.af8b03428ef5fp-2, 0x1.b43939454806fp-2, 0x1.b8f6951990b88p-2, 0x1.bdc3812aeeeb5p-2,
        0x1.c2a06d00ea583p-2, 0x1.c78dcd983fb6p-2, 0x1.cc8c1dc40e092p-2, 0x1.d19bde97e1a0bp-2,
        0x1.d6bd97db9ed7ap-2, 0x1.dbf1d88a7210cp-2, 0x1.e139375e137fcp-2, 0x1.e6945367dd351p-2,
        0x1.ec03d4b969d9p-2, 0x1.f1886d1eb424dp-2, 0x1.f722d8ebfc5fap-2, 0x1.fcd3dfe214576p-2,
        0x1.014e2b160f324p-1, 0x1.043e8ebd26548p-1, 0x1.073b931ee3b7dp-1, 0x1.0a45b8854d02ap-1,
        0x1.0d5d8812b1e2bp-1, 0x1.108394a1cc38dp-1, 0x1.13b87bc33169cp-1, 0x1.16fce6dce6feep-1,
        0x1.1a518c71e3b25p-1, 0x1.1db7319877b89p-1, 0x1.212eaba813ec8p-1, 0x1.24b8e228c50a3p-1,
        0x1.2856d111132bdp-1, 0x1.2c098b61f4f24p-1, 0x1.2fd23e345da5ep-1, 0x1.33b23450e6318p-1,
        0x1.37aada708ddd9p-1, 0x1.3bbdc44e1d114p-1, 0x1.3fecb2bb18b8p-1, 0x1.44399afa8e125p-1,
        0x1.48a6afb8ee069p-1, 0x1.4d366c151f8afp-1, 0x1.51eba1578899ap-1, 0x1.56c9882da8773p-1,
        0x1.5bd3d694cac75p-1, 0x1.610edc1a7af66p-1, 0x1.667fa6d4f5c06p-1, 0x1.6c2c3498418c6p-1,
        0x1.721bb5ba94b63p-1, 0x1.7856e9b09d47ep-1, 0x1.7ee8a2d243126p-1, 0x1.85de87806c5b8p-1,
        0x1.8d4a376d3d22fp-1, 0x1.95431c455aa39p-1, 0x1.9de9715556d9bp-1, 0x1.a76baa562fae7p-1,
        0x1.b210f0ee67f2ap-1, 0x1.be5007beb7b27p-1, 0x1.cd0a65081fff1p-1, 0x1.e0545e5881137p-1,
        0x1p+0,
    },
};

const struct ziggurat ziggurat_normal_table = {
    .edge = {
        0x1.f493b7815d982p+1, 0x1.d3bb48209ad33p+1, 0x1.b981f3878fdbp+1, 0x1.a8fdc78947759p+1,
        0x1.9cbee014057aap+1, 0x1.92ee0946f4496p+1, 0x1.8ab0fbfaa7c14p+1, 0x1.839030529f233p+1,
        0x1.7d42df4d6ce8bp+1, 0x1.7799556090672p+1, 0x1.72728f05f7a33p+1, 0x1.6db6b8d09e231p+1,
        0x1.69540be9fe5c2p+1, 0x1.653ce7b006aeap+1, 0x1.61669cf861e4bp+1, 0x1.5dc8a243ad0fep+1,
        0x1.5a5c08b718dd9p+1, 0x1.571b1a94ae41cp+1, 0x1.54011523a7e43p+1, 0x1.5109f53e9ac42p+1,
        0x1.4e3250dcd8903p+1, 0x1.4b7739d6b5a28p+1, 0x1.48d62759c43bdp+1, 0x1.464ce44a73a16p+1,
        0x1.43d9815545e94p+1, 0x1.417a49cb9e5dbp+1, 0x1.3f2dbaa60f475p+1, 0x1.3cf27b31704a6p+1,
        0x1.3ac7570ae88fap+1, 0x1.38ab39256410ap+1, 0x1.369d27a33a84p+1, 0x1.349c405ae12a3p+1,
        0x1.32a7b5e68a4a3p+1, 0x1.30becd256aeeep+1, 0x1.2ee0db1a978f5p+1, 0x1.2d0d43196db97p+1,
        0x1.2b437532a0a53p+1, 0x1.2982ecd770e78p+1, 0x1.27cb2faa8592ep+1, 0x1.261bcc77658ep+1,
        0x1.24745a4ac9c24p+1, 0x1.22d477a6fd3efp+1, 0x1.213bc9d04cc82p+1, 0x1.1fa9fc2e2d901p+1,
        0x1.1e1ebfbe4ae39p+1, 0x1.1c99ca971a695p+1, 0x1.1b1ad777f2f8fp+1, 0x1.19a1a564eebadp+1,
        0x1.182df74d21262p+1, 0x1.16bf93b9deef5p+1, 0x1.1556448602e3dp+1, 0x1.13f1d69c4096fp+1,
        0x1.129219bbb5d37p+1, 0x1.1136e04207043p+1, 0x1.0fdffefa69fb8p+1, 0x1.0e8d4cf116594p+1,
        0x1.0d3ea34aa3d32p+1, 0x1.0bf3dd1eed449p+1, 0x1.0aacd7571c0c5p+1, 0x1.0969708e8a255p+1,
        0x1.082988f632e18p+1, 0x1.06ed023a72669p+1, 0x1.05b3bf6adb37ep+1, 0x1.047da4e3ef5c7p+1,
        0x1.034a983a902abp+1, 0x1.021a8028fc947p+1, 0x1.00ed447d3a075p+1, 0x1.ff859c118f60bp+0,
        0x1.fd360d22fe785p+0, 0x1.faebb187122bfp+0, 0x1.f8a6604899782p+0, 0x1.f665f20c90168p+0,
        0x1.f42a40fb74d6dp+0, 0x1.f1f328ac25321p+0, 0x1.efc086101eca9p+0, 0x1.ed9237610a73ap+0,
        0x1.eb681c0f76f08p+0, 0x1.e94214b2abf09p+0, 0x1.e72002f97fe23p+0, 0x1.e501c99c1d186p+0,
        0x1.e2e74c4ea46f3p+0, 0x1.e0d06fb49d219p+0, 0x1.debd195522e34p+0, 0x1.dcad2f8fc490cp+0,
        0x1.daa0999206e6ep+0, 0x1.d8973f4d7fba4p+0, 0x1.d691096e7f123p+0, 0x1.d48de1533c647p+0,
        0x1.d28db1037ef2p+0, 0x1.d0906328b8f6ep+0, 0x1.ce95e3068e037p+0, 0x1.cc9e1c73bd69p+0,
        0x1.caa8fbd36a2abp+0, 0x1.c8b66e0eba617p+0, 0x1.c6c6608ec8705p+0, 0x1.c4d8c136e0d1dp+0,
        0x1.c2ed7e5f07a2dp+0, 0x1.c10486cec16ap+0, 0x1.bf1dc9b81ae82p+0, 0x1.bd3936b2ec0a2p+0,
        0x1.bb56bdb85256ep+0, 0x1.b9764f1e5f73dp+0, 0x1.b797db93f8928p+0, 0x1.b5bb541ce3d04p+0,
        0x1.b3e0aa0e00c01p+0, 0x1.b207cf09a985cp+0, 0x1.b030b4fc3a11bp+0, 0x1.ae5b4e18bb338p+0,
        0x1.ac878cd5af5cfp+0, 0x1.aab563e9ff10ap+0, 0x1.a8e4c64a0313fp+0, 0x1.a715a724aa9a7p+0,
        0x1.a547f9e0bbb8bp+0, 0x1.a37bb21a2c85ep+0, 0x1.a1b0c39f93696p+0, 0x1.9fe7226fad24dp+0,
        0x1.9e1ec2b6f7414p+0, 0x1.9c5798cd5d92ep+0, 0x1.9a919933f99c1p+0, 0x1.98ccb892e2a33p+0,
        0x1.9708ebb70d5efp+0, 0x1.954627903a28bp+0, 0x1.9384612ef0afep+0, 0x1.91c38dc288349p+0,
        0x1.9003a2973b591p+0, 0x1.8e44951446a28p+0, 0x1.8c865aba10c9dp+0, 0x1.8ac8e9205c044p+0,
        0x1.890c35f47f72ep+0, 0x1.875036f7a7ec7p+0, 0x1.8594e1fd1f5bep+0, 0x1.83da2ce899f16p+0,
        0x1.82200dac88677p+0, 0x1.80667a486ea1fp+0, 0x1.7ead68c73dee7p+0, 0x1.7cf4cf3db22fcp+0,
        0x1.7b3ca3c8b140ap+0, 0x1.7984dc8babd94p+0, 0x1.77cd6faeff44ap+0, 0x1.7616535e5732p+0,
        0x1.745f7dc70eeddp+0, 0x1.72a8e516914c7p+0, 0x1.70f27f78b68ecp+0, 0x1.6f3c43161f856p+0,
        0x1.6d8626128d354p+0, 0x1.6bd01e8b343bdp+0, 0x1.6a1a22950b2b3p+0, 0x1.6864283b13139p+0,
        0x1.66ae257c99674p+0, 0x1.64f8104b7260dp+0, 0x1.6341de8a2b0a4p+0, 0x1.618b860a31fc5p+0,
        0x1.5fd4fc89f5e39p+0, 0x1.5e1e37b2f8cd4p+0, 0x1.5c672d17d733fp+0, 0x1.5aafd23241b5ap+0,
        0x1.58f81c60e8515p+0, 0x1.574000e555f79p+0, 0x1.558774e1bb2c9p+0, 0x1.53ce6d56a665p+0,
        0x1.5214df20a8b5cp+0, 0x1.505abef5e5563p+0, 0x1.4ea001638a606p+0, 0x1.4ce49acb311ddp+0,
        0x1.4b287f602415ep+0, 0x1.496ba32488f3p+0, 0x1.47adf9e66c338p+0, 0x1.45ef773cac75ep+0,
        0x1.44300e83c30a6p+0, 0x1.426fb2da6745fp+0, 0x1.40ae571e09e76p+0, 0x1.3eebede725a85p+0,
        0x1.3d28698561de3p+0, 0x1.3b63bbfb83d06p+0, 0x1.399dd6fb2b267p+0, 0x1.37d6abe05586cp+0,
        0x1.360e2baca52d7p+0, 0x1.3444470265ea4p+0, 0x1.3278ee1f4b933p+0, 0x1.30ac10d6e48dap+0,
        0x1.2edd9e8cba99p+0, 0x1.2d0d862e1b855p+0, 0x1.2b3bb62b82edbp+0, 0x1.29681c719d71dp+0,
        0x1.2792a661dd381p+0, 0x1.25bb40ca96bfep+0, 0x1.23e1d7de9c322p+0, 0x1.2206572c4c6ecp+0,
        0x1.2028a9940a0a3p+0, 0x1.1e48b93e0d431p+0, 0x1.1c666f8f82acfp+0, 0x1.1a81b51ee6d8bp+0,
        0x1.189a71a78da37p+0, 0x1.16b08bfc4202p+0, 0x1.14c3e9f8e9143p+0, 0x1.12d4707310fc1p+0,
        0x1.10e20329515f1p+0, 0x1.0eec84b16086fp+0, 0x1.0cf3d664bcc83p+0, 0x1.0af7d84bc6116p+0,
        0x1.08f869071f40fp+0, 0x1.06f565b72a014p+0, 0x1.04eea9e16a5ffp+0, 0x1.02e40f5398f9dp+0,
        0x1.00d56e04234eep+0, 0x1.fd8537dfa2eb1p-1, 0x1.f956d9e87d7b2p-1, 0x1.f51f654d8f68cp-1,
        0x1.f0de784f0622ap-1, 0x1.ec93abdf982d2p-1, 0x1.e83e9337a6f04p-1, 0x1.e3debb5d2ee02p-1,
        0x1.df73aa9f17656p-1, 0x1.dafce0023b8c8p-1, 0x1.d679d29e41f14p-1, 0x1.d1e9f0e80b74bp-1,
        0x1.cd4c9fe72268fp-1, 0x1.c8a13a5323b66p-1, 0x1.c3e70f9594ef8p-1, 0x1.bf1d62abf8239p-1,
        0x1.ba4368e529f4p-1, 0x1.b558487427a2fp-1, 0x1.b05b16d136ca2p-1, 0x1.ab4ad6e101636p-1,
        0x1.a62676d77cd5fp-1, 0x1.a0eccdca4a731p-1, 0x1.9b9c98e38c54dp-1, 0x1.96347822c1efp-1,
        0x1.90b2ea94ecf9ep-1, 0x1.8b1649e7b769fp-1, 0x1.855cc53430a7dp-1, 0x1.7f845ad46f549p-1,
        0x1.798ad10b32a7ep-1, 0x1.736dad346f8adp-1, 0x1.6d2a292000576p-1, 0x1.66bd261a37c44p-1,
        0x1.60231cfd97ef1p-1, 0x1.59580a707ce9cp-1, 0x1.52575621ad379p-1, 0x1.4b1bb363dfeadp-1,
        0x1.439ef8dff9b5ap-1, 0x1.3bd9ec1a2b134p-1, 0x1.33c3fc05791fap-1, 0x1.2b52e3863d885p-1,
        0x1.227a28f7a1afap-1, 0x1.192a69741367dp-1, 0x1.0f5053b025d4ap-1, 0x1.04d32278ebbb4p-1,
        0x1.f32482d4cd5dp-2, 0x1.dac2f5a747281p-2, 0x1.c004d2f386207p-2, 0x1.a230c2e4cd0cbp-2,
        0x1.801fce82fa71ap-2, 0x1.57cb938443b71p-2, 0x1.250af3c2c5bc6p-2, 0x1.b8d0be3fdf702p-3,
        0x0p+0,
    },
    .height = {
        0x0p+0, 0x1.4a605b6b9f70dp-10, 0x1.55f9f43c1b07p-9, 0x1.08a1f03b0b205p-8,
        0x1.69ea8d90cb864p-8, 0x1.ce160f8ec683cp-8, 0x1.1a59229952f95p-7, 0x1.4eb96421acfe7p-7,
        0x1.841040d8da47ep-7, 0x1.ba48d274f8fb3p-7, 0x1.f152a4f72dd53p-7, 0x1.149033460301ap-6,
        0x1.30d388dab5e1ap-6, 0x1.4d6eaf2fbb067p-6, 0x1.6a5daf40bbf87p-6, 0x1.879d1b600c10bp-6,
        0x1.a529f4e22ebf4p-6, 0x1.c301983cd0912p-6, 0x1.e121adb828c69p-6, 0x1.ff881d718a5b5p-6,
        0x1.0f1982e968009p-5, 0x1.1e9059f1f6ab6p-5, 0x1.2e27ce83df495p-5, 0x1.3ddf2ce98eec7p-5,
        0x1.4db5d0e11275cp-5, 0x1.5dab23cf2add1p-5, 0x1.6dbe9b398d062p-5, 0x1.7defb77af271cp-5,
        0x1.8e3e02a68b5a9p-5, 0x1.9ea90f9295561p-5, 0x1.af30790385f6fp-5, 0x1.bfd3e0f282a2cp-5,
        0x1.d092efeadf162p-5, 0x1.e16d547b25185p-5, 0x1.f262c2b6c6e33p-5, 0x1.01b979e30e496p-4,
        0x1.0a4ed2c159622p-4, 0x1.12f14d0f2179dp-4, 0x1.1ba0cbe97897ep-4, 0x1.245d344dd0d8fp-4,
        0x1.2d266cf9b310dp-4, 0x1.35fc5e4d93e69p-4, 0x1.3edef23269a81p-4, 0x1.47ce1401b2212p-4,
        0x1.50c9b06fa2babp-4, 0x1.59d1b5774669dp-4, 0x1.62e6124854d1p-4, 0x1.6c06b73694a46p-4,
        0x1.753395aaa116dp-4, 0x1.7e6ca013eefccp-4, 0x1.87b1c9dbf2846p-4, 0x1.9103075a4a09fp-4,
        0x1.9a604dc9d5b0bp-4, 0x1.a3c9933ea627bp-4, 0x1.ad3ece9caf627p-4, 0x1.b6bff78f2e228p-4,
        0x1.c04d0680b100ap-4, 0x1.c9e5f493b7404p-4, 0x1.d38abb9bd91dcp-4, 0x1.dd3b56176e88bp-4,
        0x1.e6f7bf29aa546p-4, 0x1.f0bff29520e16p-4, 0x1.fa93ecb6b222bp-4, 0x1.0239d54067d29p-3,
        0x1.072f94bb8bf84p-3, 0x1.0c2b33d5209b9p-3, 0x1.112cb1da26eb8p-3, 0x1.16340e5a82d62p-3,
        0x1.1b41492757d42p-3, 0x1.2054625183c34p-3, 0x1.256d5a2835eb6p-3, 0x1.2a8c3137a071bp-3,
        0x1.2fb0e847c2a65p-3, 0x1.34db805b4ab89p-3, 0x1.3a0bfaae8d7eep-3, 0x1.3f4258b6931afp-3,
        0x1.447e9c20375d6p-3, 0x1.49c0c6cf5ce3p-3, 0x1.4f08dade31fc6p-3, 0x1.5456da9c8683bp-3,
        0x1.59aac88f31d74p-3, 0x1.5f04a76f884p-3, 0x1.64647a2adf1a4p-3, 0x1.69ca43e21f261p-3,
        0x1.6f3607e964719p-3, 0x1.74a7c9c7ab5a8p-3, 0x1.7a1f8d368a323p-3, 0x1.7f9d5621f7174p-3,
        0x1.852128a819a38p-3, 0x1.8aab09192815ap-3, 0x1.903afbf74fa68p-3, 0x1.95d105f6a7c27p-3,
        0x1.9b6d2bfd2fe5ap-3, 0x1.a10f7322d7e3cp-3, 0x1.a6b7e0b19267cp-3, 0x1.ac667a2571805p-3,
        0x1.b21b452ccd13ap-3, 0x1.b7d647a8731abp-3, 0x1.bd9787abe18a2p-3, 0x1.c35f0b7d89d46p-3,
        0x1.c92cd9971df52p-3, 0x1.cf00f8a5e6fcap-3, 0x1.d4db6f8b2514cp-3, 0x1.dabc455c79006p-3,
        0x1.e0a3816457181p-3, 0x1.e6912b2283cd9p-3, 0x1.ec854a4c99c3ep-3, 0x1.f27fe6ce998ccp-3,
        0x1.f88108cb8322fp-3, 0x1.fe88b89df93bcp-3, 0x1.024b7f6c7747ap-2, 0x1.0555f2242e9d4p-2,
        0x1.0863b8f904331p-2, 0x1.0b74d88b242d4p-2, 0x1.0e895598709bdp-2, 0x1.11a134fcf241dp-2,
        0x1.14bc7bb34ee63p-2, 0x1.17db2ed5454e5p-2, 0x1.1afd539c2f04cp-2, 0x1.1e22ef6188113p-2,
        0x1.214c079f7cc9cp-2, 0x1.2478a1f17de86p-2, 0x1.27a8c414db11bp-2, 0x1.2adc73e963fdap-2,
        0x1.2e13b77210764p-2, 0x1.314e94d5af62dp-2, 0x1.348d125f9d19cp-2, 0x1.37cf368081376p-2,
        0x1.3b1507cf143acp-2, 0x1.3e5e8d08ed2d8p-2, 0x1.41abcd1357a18p-2, 0x1.44fccefc324fcp-2,
        0x1.485199fad6ad4p-2, 0x1.4baa357109ca2p-2, 0x1.4f06a8ebf6d91p-2, 0x1.5266fc2533beap-2,
        0x1.55cb3703d00fdp-2, 0x1.5933619d6eebcp-2, 0x1.5c9f84376c241p-2, 0x1.600fa7480d2c6p-2,
        0x1.6383d377be513p-2, 0x1.66fc11a25cbdfp-2, 0x1.6a786ad88de1ep-2, 0x1.6df8e86124ca6p-2,
        0x1.717d93ba96148p-2, 0x1.7506769c7b1e8p-2, 0x1.78939af9252e6p-2, 0x1.7c250aff414acp-2,
        0x1.7fbad11b8d90dp-2, 0x1.8354f7faa0dd5p-2, 0x1.86f38a8ac5ab2p-2, 0x1.8a9693fde9185p-2,
        0x1.8e3e1fcb9f113p-2, 0x1.91ea39b33cb13p-2, 0x1.959aedbe09f8fp-2, 0x1.995048418c0c3p-2,
        0x1.9d0a55e1e93dcp-2, 0x1.a0c923946843bp-2, 0x1.a48cbea20c04bp-2, 0x1.a85534aa4d87dp-2,
        0x1.ac2293a5f5a9ap-2, 0x1.aff4e9ea1855p-2, 0x1.b3cc462b331c8p-2, 0x1.b7a8b78071319p-2,
        0x1.bb8a4d6716d8fp-2, 0x1.bf7117c616a14p-2, 0x1.c35d26f1d2cb5p-2, 0x1.c74e8bb00d7c3p-2,
        0x1.cb45573c0a843p-2, 0x1.cf419b4ae5b69p-2, 0x1.d3436a102107bp-2, 0x1.d74ad6426de2dp-2,
        0x1.db57f320b56abp-2, 0x1.df6ad47763a03p-2, 0x1.e3838ea5f9b7ep-2, 0x1.e7a236a4ec3bfp-2,
        0x1.ebc6e20bd1f4fp-2, 0x1.eff1a717e8f8ep-2, 0x1.f4229cb2f7aecp-2, 0x1.f859da7a900c4p-2,
        0x1.fc9778c7bbd9bp-2, 0x1.006dc85b8cac2p-1, 0x1.02931e18b8228p-1, 0x1.04bbcafa63f2bp-1,
        0x1.06e7dccf03c33p-1, 0x1.091761d995d7dp-1, 0x1.0b4a68d70d9abp-1, 0x1.0d8101041429cp-1,
        0x1.0fbb3a232590fp-1, 0x1.11f9248311f34p-1, 0x1.143ad105ea998p-1, 0x1.16805128639d6p-1,
        0x1.18c9b709b3c4dp-1, 0x1.1b171573fd10ep-1, 0x1.1d687fe549966p-1, 0x1.1fbe0a992961dp-1,
        0x1.2217ca92ff7eep-1, 0x1.2475d5a90db8p-1, 0x1.26d84290504e9p-1, 0x1.293f28e93cd11p-1,
        0x1.2baaa14d79545p-1, 0x1.2e1ac55ea3beap-1, 0x1.308fafd6438ebp-1, 0x1.33097c9703a32p-1,
        0x1.358848bf550e6p-1, 0x1.380c32bda00d2p-1, 0x1.3a955a662cd0bp-1, 0x1.3d23e10af31a1p-1,
        0x1.3fb7e99585b7fp-1, 0x1.425198a355fep-1, 0x1.44f114a493676p-1, 0x1.479685fdf500fp-1,
        0x1.4a42172dc5276p-1, 0x1.4cf3f4f494ebep-1, 0x1.4fac4e820b665p-1, 0x1.526b55a656cd3p-1,
        0x1.55313f08d9e44p-1, 0x1.57fe4264c8d8cp-1, 0x1.5ad29acc85c85p-1, 0x1.5dae86f4aff66p-1,
        0x1.6092498802661p-1, 0x1.637e298550c15p-1, 0x1.667272a92e32p-1, 0x1.696f75e513b26p-1,
        0x1.6c7589e635a86p-1, 0x1.6f850baea7aebp-1, 0x1.729e5f43f6d0ep-1, 0x1.75c1f0770d852p-1,
        0x1.78f033ca0b0d2p-1, 0x1.7c29a779c6855p-1, 0x1.7f6ed4b20e2c8p-1, 0x1.82c050f56cf6bp-1,
        0x1.861ebfc37bca8p-1, 0x1.898ad48badefep-1, 0x1.8d0554fe60aa4p-1, 0x1.908f1bd31714bp-1,
        0x1.94291c21b7a43p-1, 0x1.97d4657617abep-1, 0x1.9b9228d24067ep-1, 0x1.9f63bee651fd5p-1,
        0x1.a34aafdf5af0cp-1, 0x1.a748bd550c9dep-1, 0x1.ab5fef17a2502p-1, 0x1.af92a3f6ce8ap-1,
        0x1.b3e3a8234dd0ep-1, 0x1.b85653a8ff54fp-1, 0x1.bceeb4ee1dc7fp-1, 0x1.c1b1cd9eebae7p-1,
        0x1.c6a5ecea9787cp-1, 0x1.cbd33a8a72de8p-1, 0x1.d144978a119d9p-1, 0x1.d70920657bcefp-1,
        0x1.dd36fa704de92p-1, 0x1.e3f11e027f074p-1, 0x1.eb7545b6ca912p-1, 0x1.f446ac979f084p-1,
        0x1p+0,
    },
};
/* clang-format on */
